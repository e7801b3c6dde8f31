import { messages } from '@shinobi/contract/messages'
import { dropSecondFactor } from './api.ts'
import { CodeField, readCode } from './code-field.tsx'
import { ConfirmedForm } from './confirmed-form.tsx'

interface DropSecondFactorProps {
  name: string
  hasPassword: boolean
  onDropped: () => void
}

export function DropSecondFactor({ name, hasPassword, onDropped }: DropSecondFactorProps) {
  return (
    <ConfirmedForm
      name={name}
      hasPassword={hasPassword}
      label="解除する"
      variant="danger"
      intro={<p>パスワードだけでログインできるようになります。</p>}
      fields={['code']}
      findProblem={({ code }) => (readCode(code) === '' ? { field: 'code', message: messages.code_required } : null)}
      refusals={{ bad_code: 'code' }}
      send={async (currentPassword, { code }) => {
        await dropSecondFactor(currentPassword, readCode(code))
        onDropped()
      }}
    >
      {(about) => <CodeField describedBy={about('code')} />}
    </ConfirmedForm>
  )
}
