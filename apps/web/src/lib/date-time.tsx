import { useNow } from './clock.tsx'
import { formatDateTime, formatPostTime, formatShortTime } from './format-date.ts'

interface DateTimeProps {
  value: string
  className?: string | undefined
  /** With the weekday and the seconds, as posts show it. */
  exact?: boolean
}

/** A point in time, readable for people and for programs. */
export function DateTime({ value, className, exact = false }: DateTimeProps) {
  const now = useNow()
  return (
    <time dateTime={value} className={className}>
      {exact ? formatPostTime(value, now) : formatDateTime(value, now)}
    </time>
  )
}

/**
 * The time of day, for today; else the day or the month: as short as a column of a list needs. The
 * whole time is its tooltip. `label` says to screen readers what happened then.
 */
export function ShortTime({ label, value }: { label: string; value: string }) {
  const now = useNow()
  return (
    <time dateTime={value} title={`${label} ${formatDateTime(value, now)}`}>
      <span className="visually-hidden">{label} </span>
      {formatShortTime(value, now)}
    </time>
  )
}
