/**
 * The fields of an account, all of them required. They are uncontrolled, so that no script changes
 * text during an IME conversion.
 */
import { PASSWORD, USERNAME } from '@shinobi/contract/limits'
import type { ReactNode } from 'react'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { Field, TextInput } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'

interface AccountFieldProps {
  label?: string
  hint?: ReactNode
  /** Id of the element with its error message. */
  describedBy?: string | undefined
  name?: string
}

const wrongBy = (describedBy: string | undefined) =>
  describedBy === undefined ? {} : ({ 'aria-invalid': true, 'aria-describedby': describedBy } as const)

export function NameField({
  label = '会員名',
  hint = `${USERNAME.min}〜${USERNAME.max}文字。書き込みに付く名前です。`,
  describedBy,
  name = 'username',
}: AccountFieldProps) {
  const enter = useImeSafeEnter({})
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <TextInput
          {...field}
          required
          {...wrongBy(describedBy)}
          {...enter}
          name={name}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      )}
    </Field>
  )
}

export function EmailField({
  label = 'メールアドレス',
  hint,
  describedBy,
}: Pick<AccountFieldProps, 'label' | 'hint' | 'describedBy'>) {
  const enter = useImeSafeEnter({})
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <TextInput
          {...field}
          required
          {...wrongBy(describedBy)}
          {...enter}
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
        />
      )}
    </Field>
  )
}

export function PasswordField({
  label = 'パスワード',
  describedBy,
  name = 'password',
  kind,
}: Omit<AccountFieldProps, 'hint'> & { kind: 'current' | 'new' }) {
  const enter = useImeSafeEnter({})
  return (
    <Field label={label} hint={kind === 'new' ? `${PASSWORD.min}文字以上` : undefined}>
      {(field) => (
        <PasswordInput
          {...field}
          required
          {...wrongBy(describedBy)}
          {...enter}
          name={name}
          autoComplete={`${kind}-password`}
        />
      )}
    </Field>
  )
}

/** The values of a form's fields. Passwords keep their spaces. */
export function readForm<K extends string>(form: HTMLFormElement, ...names: K[]): Record<K, string> {
  const data = new FormData(form)
  const read = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<K, string>
}

/**
 * Moves the focus to the first of these fields. On a touch screen that would open a keyboard over
 * the message, so the fields are only marked there.
 */
export function focusFirst(form: HTMLFormElement, [name]: readonly string[]): void {
  if (name === undefined) return
  const field = form.querySelector<HTMLInputElement>(`[name="${name}"]`)
  if (!matchMedia('(pointer: coarse)').matches) field?.focus()
  else if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur()
}
