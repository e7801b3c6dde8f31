import { Link } from 'react-router'
import toolbar from '../../../features/admin/toolbar.module.css'

interface SegmentsProps<Value extends string> {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  to: (value: Value) => string
}

/** What a list shows, chosen by links. */
export const Segments = <Value extends string>({ label, options, value, to }: SegmentsProps<Value>) => (
  <nav className={toolbar['segments']} aria-label={label}>
    {options.map((option) => (
      <Link
        key={option.value}
        to={to(option.value)}
        className={toolbar['segment']}
        {...(option.value === value && { 'aria-current': true })}
      >
        {option.label}
      </Link>
    ))}
  </nav>
)
