import type { ComponentProps } from 'react'
import { useImeSafeEnter } from '../lib/use-ime-safe-enter.ts'
import { Field, TextInput } from './field.tsx'

type LineFieldProps = Omit<ComponentProps<typeof Field>, 'children'> &
  Pick<ComponentProps<'input'>, 'ref' | 'name' | 'type' | 'inputMode' | 'autoCapitalize' | 'enterKeyHint'> & {
    value: string
    onChange: (value: string) => void
  }

/**
 * A field with one line of text. The Enter that confirms a composition does not submit its form.
 */
export function LineField({
  ref,
  name,
  type,
  inputMode,
  autoCapitalize,
  enterKeyHint,
  value,
  onChange,
  ...rest
}: LineFieldProps) {
  const enter = useImeSafeEnter({})
  return (
    <Field {...rest}>
      {(field) => (
        <TextInput
          {...field}
          {...enter}
          ref={ref}
          name={name}
          type={type}
          inputMode={inputMode}
          autoCapitalize={autoCapitalize}
          enterKeyHint={enterKeyHint}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
