import { PAGE_SIZE } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { RetryIcon } from '../../ui/icons.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { latestPath, postPath, rangePath } from './post-address.ts'
import type { Loading } from './post-store.ts'
import styles from './post-list.module.css'

interface RangeLinksProps {
  threadId: string
  loading: Loading
  onLoad: () => void
}

/**
 * Links to more posts at one end of the window: they work without JavaScript, and load in place
 * with it.
 */
function EndOfWindow({ loading, onLoad, children }: Omit<RangeLinksProps, 'threadId'> & { children: ReactNode }) {
  return (
    <nav className={styles['range']} aria-label="書き込みの範囲">
      {children}
      {loading === 'loading' && (
        <span className={styles['spinner']}>
          <Spinner size="sm" label="読み込み中" />
        </span>
      )}
      {loading === 'failed' && (
        <div className={styles['failed']} role="alert">
          <span>{messages.posts_failed}</span>
          <Button size="sm" icon={<RetryIcon size={16} />} onClick={onLoad}>
            もう一度試す
          </Button>
        </div>
      )}
    </nav>
  )
}

const inPlace = (onLoad: () => void) => (event: MouseEvent) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  onLoad()
}

export function OlderLinks({ start, ...rest }: RangeLinksProps & { start: number }) {
  if (start === 0) return null
  return (
    <EndOfWindow {...rest}>
      <Link to={postPath(rest.threadId, 1)}>最初から</Link>
      <Link rel="prev" to={rangePath(rest.threadId, { after: start - PAGE_SIZE })} onClick={inPlace(rest.onLoad)}>
        前の{Math.min(PAGE_SIZE, start)}件
      </Link>
    </EndOfWindow>
  )
}

export function NewerLinks({ last, newest, ...rest }: RangeLinksProps & { last: number; newest: number }) {
  if (last >= newest) return null
  return (
    <EndOfWindow {...rest}>
      <Link rel="next" to={rangePath(rest.threadId, { after: last })} onClick={inPlace(rest.onLoad)}>
        次の{Math.min(PAGE_SIZE, newest - last)}件
      </Link>
      <Link to={latestPath(rest.threadId, newest)}>最新へ</Link>
    </EndOfWindow>
  )
}
