import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { RULES } from '@shinobi/contract/rules'
import { useState } from 'react'
import { useIsArt } from './art-choices.ts'
import styles from './post-body.module.css'
import { PostImage } from './post-image.tsx'
import { PostText } from './post-text.tsx'
import { useThreadActions } from './thread-context.ts'
import { dropText, keptText } from './withdrawn-texts.ts'

/**
 * The body of a post: its text and image, folded when many visitors reported it or the opener of
 * the thread wished so, or a placeholder once it was removed.
 */
export function PostBody({ post }: { post: Post }) {
  if (post.deleted) return <Tombstone post={post} />
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
  const isArt = useIsArt(post)
  const text = <PostText content={post.content} plainLinks={post.plainLinks} isArt={isArt} />
  return opening !== null && post.number === 1 ? <opening.Text post={post}>{text}</opening.Text> : text
}

function Tombstone({ post: { _id, rule, withdrawn } }: { post: Post }) {
  return (
    <p className={styles['tombstone']}>
      {withdrawn === true ? messages.post_withdrawn : messages.post_deleted}
      {rule !== null && <span className={styles['rule']}>理由：{RULES[rule]}</span>}
      {withdrawn === true && <WriteAnew postId={_id} />}
    </p>
  )
}

/** Offers the text of an own post that was deleted on this page. */
function WriteAnew({ postId }: { postId: string }) {
  const { write } = useThreadActions()
  const [text, setText] = useState(() => keptText(postId))
  if (text === null || write === null) return null
  return (
    <button
      type="button"
      className={styles['anew']}
      onClick={() => {
        if (!write(text)) return
        dropText(postId)
        setText(null)
      }}
    >
      書き直す
    </button>
  )
}

/** The text can be unfolded without a script; the image is fetched only when it is unfolded. */
function Folded({ post }: { post: Post }) {
  const [opened, setOpened] = useState(false)
  return (
    <details className={styles['folded']} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className={styles['fold']}>
        <span className={styles['why']}>
          {post.foldReason === undefined ? messages.post_folded : messages.post_folded_by_owner(post.foldReason)}
        </span>
        <span className={styles['open']}>{opened ? '閉じる' : '開いて読む'}</span>
      </summary>
      <PostWords post={post} />
      {opened && <PostImage post={post} />}
    </details>
  )
}
