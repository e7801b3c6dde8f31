import { messages } from '@shinobi/contract/messages'
import { useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { useRequest } from '../../lib/use-request.ts'
import { AccountForm } from './account-form.tsx'
import { dropSecondFactor } from './api.ts'
import { CodeField, readCode } from './code-field.tsx'
import { focusField, PasswordField, readForm } from './fields.tsx'

interface DropSecondFactorProps {
  name: string
  hasPassword: boolean
  onDropped: () => void
}

type DropField = 'currentPassword' | 'code'

export function DropSecondFactor({ name, hasPassword, onDropped }: DropSecondFactorProps) {
  const request = useRequest()
  const [wrong, setWrong] = useState<DropField | null>(null)
  const submit = async (form: HTMLFormElement) => {
    const { currentPassword, code } = readForm(form, 'currentPassword', 'code')
    let field: DropField | null = null
    if (hasPassword && currentPassword === '') {
      field = 'currentPassword'
      request.complain(messages.register_required_fields)
    } else if (readCode(code) === '') {
      field = 'code'
      request.complain(messages.code_required)
    } else {
      await request.send(
        async () => {
          await dropSecondFactor(hasPassword ? currentPassword : undefined, readCode(code))
          onDropped()
        },
        (error) => {
          if (!(error instanceof ApiError)) return messages.unexpected
          if (error.code === 'bad_password') field = 'currentPassword'
          if (error.code === 'bad_code') field = 'code'
          return error.message
        },
      )
    }
    setWrong(field)
    if (field !== null) focusField(form, field)
  }
  return (
    <AccountForm request={request} onSubmit={submit} wrong={wrong} variant="danger" label="解除する">
      {(about) => (
        <>
          <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
          <p>パスワードだけでログインできるようになります。</p>
          {hasPassword && (
            <PasswordField
              kind="current"
              label="現在のパスワード"
              name="currentPassword"
              describedBy={about('currentPassword')}
            />
          )}
          <CodeField describedBy={about('code')} />
        </>
      )}
    </AccountForm>
  )
}
