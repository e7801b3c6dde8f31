import { useNow } from './clock.tsx'
import { formatDateTime } from './format-date.ts'

/** A point in time for people and for programs. */
export function DateTime({ value, className }: { value: string; className?: string | undefined }) {
  const now = useNow()
  return (
    <time dateTime={value} className={className}>
      {formatDateTime(value, now)}
    </time>
  )
}
