import type { ModeratedPost } from '@shinobi/contract/moderation'
import { RULES } from '@shinobi/contract/rules'
import type { ReactNode } from 'react'
import { DateTime } from '../../lib/date-time.tsx'
import { NAMELESS } from '@shinobi/contract/nameless'
import { cx } from '../../ui/cx.ts'
import { Tag } from '../../ui/seal.tsx'
import styles from './desk-post.module.css'
import { textOfPost } from './text-of-post.ts'

interface DeskPostProps {
  post: ModeratedPost
  /** The reported post; the others are its context. */
  main?: boolean
  /** By the writer of the reported post. */
  sameWriter?: boolean
  children?: ReactNode
}

/** A post as moderators see it: a removed one with its text as well. */
export function DeskPost({ post, main = false, sameWriter = false, children }: DeskPostProps) {
  return (
    <article className={cx(styles['post'], main && styles['main'])}>
      <header className={styles['meta']}>
        <span className={styles['number']}>{post.number}</span>
        <b className={styles['name']}>{post.name ?? NAMELESS}</b>
        <DateTime value={post.createdAt} />
        <span className={styles['writer']} title="同じスレッドの中では、同じ人に同じ印が付きます">
          {post.writer}
        </span>
        {sameWriter && <Tag>同じ人</Tag>}
        {post.folded && <Tag>折りたたみ中</Tag>}
        {post.deleted && <Tag>削除済み{post.rule !== null && `：${RULES[post.rule]}`}</Tag>}
      </header>
      <p className={styles['text']}>{textOfPost(post)}</p>
      {!main && post.imageUrl !== null && <p className={styles['note']}>画像あり</p>}
      {children}
    </article>
  )
}
