import { messages } from '@shinobi/contract/messages'
import { useState } from 'react'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import styles from './forms.module.css'

interface CodeFieldProps {
  /** Id of the element with its error message. */
  describedBy?: string | undefined
  /** Offers to type a recovery code, which has letters. */
  recovery?: boolean
}

/**
 * The code of the second factor (name `code`): six digits of the authenticator, or a recovery code.
 */
export function CodeField({ describedBy, recovery = true }: CodeFieldProps) {
  const [kind, setKind] = useState<'digits' | 'recovery'>('digits')
  const enter = useImeSafeEnter({})
  const digits = kind === 'digits'
  return (
    <div>
      <Field
        label={digits ? '認証コード' : '復旧コード'}
        hint={digits ? messages.code_required : '控えておいた復旧コードの1つ。1回だけ使えます。'}
      >
        {(field) => (
          <TextInput
            key={kind}
            {...field}
            {...(describedBy !== undefined && { 'aria-invalid': true, 'aria-describedby': describedBy })}
            {...enter}
            required
            data-autofocus
            name="code"
            autoComplete={digits ? 'one-time-code' : 'off'}
            inputMode={digits ? 'numeric' : 'text'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
        )}
      </Field>
      {recovery && (
        <Button
          size="sm"
          variant="ghost"
          className={styles['other']}
          onClick={() => setKind(digits ? 'recovery' : 'digits')}
        >
          {digits ? '復旧コードを使う' : '認証アプリのコードを使う'}
        </Button>
      )}
    </div>
  )
}

/**
 * Normalises a typed code for the server: digits of any width become ASCII, and the gap that apps
 * show is removed.
 */
export const readCode = (text: string): string => text.normalize('NFKC').replaceAll(/\s/g, '')
