import { Link } from 'react-router'
import toolbar from '../admin/toolbar.module.css'

interface SegmentsProps<Value extends string> {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  to: (value: Value) => string
}

/** Links that select what a list shows. */
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
