import { Button } from './button.tsx'
import styles from './more-button.module.css'
import { Notice } from './notice.tsx'

interface MoreButtonProps {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    error: Error | null
    fetchNextPage: () => unknown
  }
}

/** Loads the next part of a list. */
export function MoreButton({ query }: MoreButtonProps) {
  if (!query.hasNextPage) return null
  return (
    <div className={styles['more']}>
      {query.isFetchNextPageError && query.error !== null && <Notice tone="error">{query.error.message}</Notice>}
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        続きを見る
      </Button>
    </div>
  )
}
