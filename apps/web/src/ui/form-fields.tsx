import { useEffect, useRef, type ReactNode } from 'react'
import styles from './form-fields.module.css'

interface FormFieldsProps {
  /** Number of submissions: after each one, the first invalid field gets the focus. */
  tries: number
  children: ReactNode
}

/**
 * The fields of a form taller than the viewport, where an error may be out of view of the pressed
 * button.
 */
export function FormFields({ tries, children }: FormFieldsProps) {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (tries > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries])
  return (
    <div ref={fields} className={styles['fields']}>
      {children}
    </div>
  )
}
