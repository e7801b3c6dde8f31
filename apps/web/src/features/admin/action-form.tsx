import type { ReactNode } from 'react'
import { useRequest } from '../../lib/use-request.ts'
import { Button, type ButtonVariant } from '../../ui/button.tsx'
import { FormProblem } from '../../ui/notice.tsx'
import styles from './action-form.module.css'

interface ActionFormProps {
  /** Label of the submit button. */
  label: string
  variant?: ButtonVariant
  disabled?: boolean
  onCancel?: () => void
  /** Rejects with an error that the form shows. */
  onSubmit: () => Promise<unknown>
  /** Left of the buttons. */
  aside?: ReactNode
  children?: ReactNode
}

/**
 * A form inside a dialog or a screen: one request at a time, with its error below the pressed
 * button.
 */
export function ActionForm({
  label,
  variant = 'primary',
  disabled = false,
  onCancel,
  onSubmit,
  aside,
  children,
}: ActionFormProps) {
  const { busy, problem, complain, send } = useRequest()
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!disabled) void send(async () => void (await onSubmit()))
      }}
      onInput={() => complain(null)}
    >
      {children}
      <div className={styles['buttons']}>
        {aside}
        {onCancel && <Button onClick={onCancel}>キャンセル</Button>}
        <Button type="submit" variant={variant} busy={busy} disabled={disabled}>
          {label}
        </Button>
      </div>
      {problem !== null && <FormProblem>{problem}</FormProblem>}
    </form>
  )
}
