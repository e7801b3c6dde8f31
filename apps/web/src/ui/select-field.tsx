import type { ReactNode } from 'react'
import { Field, SelectInput } from './field.tsx'

interface SelectFieldProps<Value extends string | number | null> {
  label: string
  name?: string | undefined
  hint?: string
  options: readonly { value: Value; label: ReactNode }[]
  value: NoInfer<Value>
  onChange: (value: NoInfer<Value>) => void
}

/** A field with a list of options, one of which is selected. */
export function SelectField<Value extends string | number | null>({
  label,
  name,
  hint,
  options,
  value,
  onChange,
}: SelectFieldProps<Value>) {
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <SelectInput
          {...field}
          name={name}
          value={String(value)}
          onChange={({ currentTarget: { selectedIndex } }) => onChange(options[selectedIndex]!.value)}
        >
          {options.map((option) => (
            <option key={String(option.value)} value={String(option.value)}>
              {option.label}
            </option>
          ))}
        </SelectInput>
      )}
    </Field>
  )
}
