import { Link } from 'react-router'
import toolbar from './toolbar.module.css'

interface SegmentsProps<Value extends string> {
  /** Names the group to screen readers. */
  label: string
  options: readonly { value: Value; label: string }[]
  value: NoInfer<Value>
  /** The address, or only its query, of a choice. */
  addressOf: (value: Value) => string
}

/** Links that select which part of a list is shown. */
export const Segments = <Value extends string>({ label, options, value, addressOf }: SegmentsProps<Value>) => (
  <div className={toolbar['toolbar']}>
    <nav className={toolbar['segments']} aria-label={label}>
      {options.map((option) => (
        <Link
          key={option.value}
          to={addressOf(option.value)}
          className={toolbar['segment']}
          {...(option.value === value && { 'aria-current': true })}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  </div>
)
