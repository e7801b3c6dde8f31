import { useEffect, useId, useRef, type ComponentProps, type ReactNode, type Ref } from 'react'
import { inFigures } from '@shinobi/contract/in-figures'
import { cx } from './cx.ts'
import styles from './field.module.css'
import { ChevronIcon } from './icons.tsx'

/** Props of a field's input: spread them. */
export interface FieldInputProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  required: boolean
}

interface FieldProps {
  label: string
  hint?: ReactNode
  /** The message; null, undefined or '' for none. */
  error?: string | null | undefined
  /**
   * Graphemes typed and allowed (`countGraphemes` of the contract; the browser's maxlength counts
   * UTF-16 units).
   */
  counter?: { length: number; max: number } | undefined
  required?: boolean | undefined
  /** Shows the label to screen readers only. */
  hideLabel?: boolean | undefined
  className?: string | undefined
  children: (props: FieldInputProps) => ReactNode
}

/**
 * Label above, hint below. An error replaces the hint in a line that is always there, so that the
 * layout does not shift.
 */
export function Field({ label, hint, error, counter, required = false, hideLabel, className, children }: FieldProps) {
  const id = useId()
  const over = counter === undefined ? 0 : Math.max(0, counter.length - counter.max)
  const describedBy = [hint && `${id}h`, error && `${id}e`, counter && `${id}c`].filter(Boolean).join(' ')
  return (
    <div className={cx(styles['field'], className)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles['label']}>
        {label}
        {required && <span className={styles['required']}>必須</span>}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error || over > 0 ? true : undefined,
        required,
      })}
      <div className={styles['below']}>
        <span className={styles['words']}>
          {hint && (
            <span id={`${id}h`} className={error ? 'visually-hidden' : styles['hint']}>
              {hint}
            </span>
          )}
          {/* Always in the page: screen readers announce only changes in an existing live region. */}
          <span id={`${id}e`} className={styles['error']} aria-live="polite">
            {error}
          </span>
        </span>
        {counter && (
          <span id={`${id}c`} className={cx(styles['counter'], over > 0 && styles['over'])}>
            <span className="visually-hidden">文字数 </span>
            {inFigures(counter.length)}
            <span aria-hidden="true"> / </span>
            <span className="visually-hidden">、上限 </span>
            {inFigures(counter.max)}
          </span>
        )}
      </div>
    </div>
  )
}

export function TextInput({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return <input {...rest} type={type} className={cx(styles['input'], className)} />
}

/** Grows with its text from `rows` to `maxRows` (1 to 12), then scrolls. */
export function TextArea({
  rows = 3,
  maxRows = 8,
  className,
  ref,
  ...rest
}: { maxRows?: number } & ComponentProps<'textarea'>) {
  const element = useRef<HTMLTextAreaElement>(null)

  // Browsers without `field-sizing: content`: measure after every change of the text, including
  // resets by the parent.
  useEffect(() => {
    const area = element.current
    if (area === null || CSS.supports('field-sizing', 'content')) return
    const fit = () => {
      area.style.height = 'auto'
      area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`
    }
    fit()
    area.addEventListener('input', fit)
    return () => area.removeEventListener('input', fit)
  }, [rest.value])

  return (
    <textarea
      {...rest}
      ref={(area) => {
        element.current = area
        return assignRef(ref, area)
      }}
      rows={rows}
      data-rows={rows}
      data-max-rows={maxRows}
      className={cx(styles['input'], styles['area'], className)}
    />
  )
}

function assignRef<T>(ref: Ref<T> | undefined, value: T | null): (() => void) | undefined {
  if (typeof ref === 'function') return ref(value) ?? undefined
  if (ref) ref.current = value
  return undefined
}

export function SelectInput({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cx(styles['select'], className)}>
      <select {...rest} className={styles['input']}>
        {children}
      </select>
      <ChevronIcon size={16} direction="down" />
    </span>
  )
}
