import { useEffect, useRef, type ReactNode } from 'react'
import styles from './form-fields.module.css'

interface FormFieldsProps {
  /** How often the form was sent: after each time, the first field that is wrong gets the keyboard. */
  tries: number
  children: ReactNode
}

/** The fields of a form longer than the window: what is wrong may stand out of sight of the button that was pressed. */
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
