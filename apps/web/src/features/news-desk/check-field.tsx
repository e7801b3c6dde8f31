import choices from '../../ui/choices.module.css'
import styles from './check-field.module.css'

interface CheckFieldProps {
  label: string
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A checkbox with an explanation. */
export const CheckField = ({ label, hint, checked, onChange }: CheckFieldProps) => (
  <label className={styles['check']}>
    <input
      type="checkbox"
      className={choices['box']}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span>
      {label}
      <span className={choices['hint']}>{hint}</span>
    </span>
  </label>
)
