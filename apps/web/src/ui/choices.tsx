import type { ReactNode } from 'react'
import styles from './choices.module.css'

interface Option<Value extends string> {
  value: Value
  label: ReactNode
  hint?: ReactNode
  /** Shown at the end of the line. */
  aside?: ReactNode
  disabled?: boolean
}

interface ChoicesProps<Value extends string> {
  legend: string
  name: string
  options: readonly Option<Value>[]
  /** Allows several choices. */
  many?: boolean
  invalid?: boolean | undefined
  /** Columns place short choices side by side where the width allows it. */
  layout?: 'rows' | 'columns' | undefined
  isChosen: (value: Value) => boolean
  onPress: (value: Value) => void
}

/** A labelled group of a few options. */
function Choices<Value extends string>({
  legend,
  name,
  options,
  many = false,
  invalid = false,
  layout = 'rows',
  isChosen,
  onPress,
}: ChoicesProps<Value>) {
  return (
    <fieldset className={styles['choices']}>
      <legend className={styles['legend']}>{legend}</legend>
      <div className={styles['options']} data-layout={layout}>
        {options.map(({ value, label, hint, aside, disabled }) => (
          <label key={value} className={styles['option']}>
            <input
              type={many ? 'checkbox' : 'radio'}
              name={name}
              value={value}
              checked={isChosen(value)}
              disabled={disabled}
              aria-invalid={invalid || undefined}
              onChange={() => onPress(value)}
              className={styles['box']}
            />
            <span className={styles['words']}>
              <span className={styles['label']}>{label}</span>
              {hint && <span className={styles['hint']}>{hint}</span>}
            </span>
            {aside}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type Shared<Value extends string> = Pick<ChoicesProps<Value>, 'legend' | 'name' | 'options' | 'layout' | 'invalid'>

export function OneOf<Value extends string>({
  value,
  onChange,
  ...rest
}: Shared<Value> & { value: NoInfer<Value>; onChange: (value: NoInfer<Value>) => void }) {
  return <Choices {...rest} isChosen={(option) => option === value} onPress={onChange} />
}

export function SomeOf<Value extends string>({
  values,
  onChange,
  ...rest
}: Shared<Value> & { values: ReadonlySet<NoInfer<Value>>; onChange: (values: ReadonlySet<NoInfer<Value>>) => void }) {
  const press = (value: Value) => {
    const next = new Set<Value>(values)
    if (!next.delete(value)) next.add(value)
    onChange(next)
  }
  return <Choices {...rest} many isChosen={(option) => values.has(option)} onPress={press} />
}
