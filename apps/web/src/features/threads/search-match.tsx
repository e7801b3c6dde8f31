import { inFigures } from '@shinobi/contract/in-figures'
import { SEARCH_HITS_MAX } from '@shinobi/contract/limits'
import type { SearchMatch as Match } from '@shinobi/contract/threads'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { Excerpt } from '../../ui/excerpt.tsx'
import { HiddenExcerpt } from '../hiding/hidden-excerpt.tsx'
import { toHideableExcerpt, useHiddenPosts } from '../hiding/use-match.ts'
import styles from './search-match.module.css'

/** Why a search found a thread: the post with the words, as a link that leads to it. */
export function SearchMatch({ threadId, match: { number, parts, hits } }: { threadId: string; match: Match }) {
  const posts = useMemo(() => (number === null ? [] : [{ number, parts }]), [number, parts])
  const hidden = useHiddenPosts(threadId, posts, toHideableExcerpt).get(number ?? 0)
  if (number === null) {
    return (
      <p className={styles['match']}>
        <span className={styles['place']}>タイトル</span>
        <Excerpt parts={parts} />
      </p>
    )
  }
  return (
    <p className={styles['match']}>
      <Link to={paths.post(threadId, number)} className={styles['jump']}>
        <span className={styles['place']}>
          <span aria-hidden="true">&gt;&gt;{number}</span>
          <span className="visually-hidden">{number}番の書き込みへ: </span>
        </span>
        {hidden === undefined ? <Excerpt parts={parts} /> : <HiddenExcerpt hidden={hidden} />}
      </Link>
      <span className={styles['hits']}>
        {inFigures(hits)}件{hits >= SEARCH_HITS_MAX && '以上'}
      </span>
    </p>
  )
}
