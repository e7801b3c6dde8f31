import { useOnline } from '../lib/use-online.ts'
import { ErrorBox } from './error-box.tsx'
import { OFFLINE } from './offline.ts'

/**
 * A failure with a button to retry. Without a network its message says so: failed queries are
 * repeated as soon as the network is back.
 */
export function Failed({
  error,
  message = error.message,
  onRetry,
}: {
  error: Error
  message?: string | undefined
  onRetry: () => void
}) {
  const online = useOnline()
  return online ? (
    <ErrorBox message={message} onRetry={onRetry} />
  ) : (
    <ErrorBox pose="offline" message={OFFLINE} onRetry={onRetry} />
  )
}
