import { useOnline } from '../lib/use-online.ts'
import { ErrorBox } from './error-box.tsx'

/** What went wrong, and a way to try again. Without a network it says that: what failed is asked for again as soon as there is one. */
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
    <ErrorBox
      pose="offline"
      message="オフラインのため読み込めません。つながると、自動で読み込みます。"
      onRetry={onRetry}
    />
  )
}
