import { loadNext, type GrowingList } from '../lib/load-next.ts'
import { useRequest } from '../lib/use-request.ts'
import { Button } from './button.tsx'
import styles from './more-button.module.css'
import { Notice } from './notice.tsx'

/** Loads the next part of a list. A failure is shown until the button is pressed again. */
export function MoreButton({ query }: { query: GrowingList }) {
  const { busy, problem, send } = useRequest()
  if (!query.hasNextPage) return null
  return (
    <div className={styles['more']}>
      {problem !== null && <Notice tone="error">{problem}</Notice>}
      <Button busy={busy} onClick={() => void send(() => loadNext(query))}>
        続きを見る
      </Button>
    </div>
  )
}
