import { messages } from '@shinobi/contract/messages'
import { Button } from './button.tsx'
import styles from './error-box.module.css'
import { RetryIcon } from './icons.tsx'
import { Ninja, type NinjaPose } from './motifs/ninja.tsx'

/** Shown instead of content that failed to load, with a button to retry. */
export function ErrorBox({
  message = messages.unexpected,
  pose = 'error',
  onRetry,
}: {
  message?: string
  pose?: NinjaPose
  onRetry?: () => void
}) {
  return (
    <div className={styles['box']} role="alert">
      <Ninja pose={pose} className={styles['figure']} />
      <p>{message}</p>
      {onRetry && (
        <Button onClick={onRetry} icon={<RetryIcon size={18} />}>
          もう一度試す
        </Button>
      )}
    </div>
  )
}
