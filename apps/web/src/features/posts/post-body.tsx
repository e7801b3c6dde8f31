import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { RULES } from '@shinobi/contract/rules'
import { useState } from 'react'
import styles from './post-body.module.css'
import { PostImage } from './post-image.tsx'
import { PostText } from './post-text.tsx'
import { useThreadActions } from './thread-context.ts'

/**
 * The body of a post: its text and image, folded when many visitors reported it, or a placeholder
 * once it was removed.
 */
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

/** The post's text. The opening post of a news thread also shows its sources. */
function PostWords({ post }: { post: Post }) {
  const { opening } = useThreadActions()
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

/** The text can be unfolded without a script; the image is fetched only when it is unfolded. */
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
