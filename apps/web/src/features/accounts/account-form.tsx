import { useId, useRef, type ReactNode } from 'react'
import { useEarlySubmit } from '../../lib/early-form.ts'
import { Button, type ButtonVariant } from '../../ui/button.tsx'
import { NeedsScript } from '../../ui/needs-script.tsx'
import { FormProblem } from '../../ui/notice.tsx'
import styles from './account-form.module.css'
import type { Request } from '../../lib/use-request.ts'

/** For a field, the id of the banner with its error; undefined without one. */
export type About<F extends string> = (field: F) => string | undefined

interface AccountFormProps<F extends string> {
  request: Request
  /** Not called while a request is pending. */
  onSubmit: (form: HTMLFormElement) => Promise<unknown>
  /** The fields to which the problem belongs; all of them when undefined. */
  wrong?: readonly F[] | undefined
  /** Label of the button. */
  label: ReactNode
  variant?: ButtonVariant
  children?: (about: About<F>) => ReactNode
}

/**
 * A form with its button and a banner for errors, which disappears on input. A submission before
 * hydration is kept until the script has loaded.
 */
export function AccountForm<F extends string>({
  request: { busy, problem, complain },
  onSubmit,
  wrong,
  label,
  variant = 'primary',
  children,
}: AccountFormProps<F>) {
  const form = useRef<HTMLFormElement>(null)
  useEarlySubmit(form)
  const problemId = useId()
  const about: About<F> = (field) => (problem !== null && (wrong?.includes(field) ?? true) ? problemId : undefined)
  return (
    <form
      ref={form}
      className={styles['form']}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void onSubmit(event.currentTarget)
      }}
      onInput={() => complain(null)}
    >
      <NeedsScript>この画面にはJavaScriptが必要です。</NeedsScript>
      {children?.(about)}
      <div className={styles['submit']}>
        <Button type="submit" variant={variant} busy={busy} className={styles['button']}>
          {label}
        </Button>
        {problem !== null && <FormProblem id={problemId}>{problem}</FormProblem>}
      </div>
    </form>
  )
}
