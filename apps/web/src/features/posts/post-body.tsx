import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { RULES } from '@shinobi/contract/rules'
import { useState } from 'react'
import styles from './post-body.module.css'
import { PostImage } from './post-image.tsx'
import { PostText } from './post-text.tsx'
import { useThreadActions } from './thread-context.ts'

/** What a post says: its text and picture, folded when many reported it, or what stands in its place once it was removed. */
export function PostBody({ post }: { post: Post }) {
  if (post.deleted) return <Tombstone rule={post.rule} />
  if (post.folded) return <Folded post={post} />
  return (
    <>
      <PostWords post={post} />
      <PostImage post={post} />
    </>
  )
}

/** Its text, which in the opening post of a news thread shows what it rests on. */
function PostWords({ post }: { post: Post }) {
  const { opening } = useThreadActions().slots
  const text = <PostText content={post.content} />
  return opening !== null && post.number === 1 ? <opening.Text post={post}>{text}</opening.Text> : text
}

function Tombstone({ rule }: Pick<Post, 'rule'>) {
  return (
    <p className={styles['tombstone']}>
      {messages.post_deleted}
      {rule !== null && <span className={styles['rule']}>理由：{RULES[rule]}</span>}
    </p>
  )
}

/** The text opens without a script as well; the picture is fetched only by those who asked to see it. */
function Folded({ post }: { post: Post }) {
  const [opened, setOpened] = useState(false)
  return (
    <details className={styles['folded']} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className={styles['fold']}>
        <span>{messages.post_folded}</span>
        <span className={styles['open']}>{opened ? '閉じる' : '開いて読む'}</span>
      </summary>
      <PostWords post={post} />
      {opened && <PostImage post={post} />}
    </details>
  )
}
