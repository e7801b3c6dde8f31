import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { useQuery } from '@tanstack/react-query'
import { useState, type MouseEvent } from 'react'
import { ApiError, apiSend } from '../../lib/api-client.ts'
import { useMember } from '../accounts/use-session.ts'
import { noticesQuery } from '../notices/api.ts'
import { isOwnPost, useOwnPosts } from '../reading/own-posts.ts'
import styles from './post-actions.module.css'
import { threadApi } from './posts-query.ts'
import { keepText } from './withdrawn-texts.ts'

/** 削除 for an own post, while there is time left. It asks once, in its own place. */
export function DeleteOwn({ post, onDeleted }: { post: Post; onDeleted: (() => void) | undefined }) {
  const { number, threadId } = post
  const minutes = useQuery(noticesQuery()).data?.ownDeleteMinutes ?? 0
  const isOwn = isOwnPost(useOwnPosts(threadId), useMember()?._id, post)
  const [step, setStep] = useState<'idle' | 'asking' | 'sent'>('idle')
  const [problem, setProblem] = useState<string | null>(null)
  const [openedAt] = useState(() => Date.now())
  if (!isOwn || openedAt - Date.parse(post.createdAt) > minutes * 60_000) return null

  const remove = async () => {
    setStep('sent')
    try {
      await apiSend('DELETE', `${threadApi(threadId)}/posts/${post._id}`)
      keepText(post)
      onDeleted?.()
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : messages.unexpected)
    }
  }
  /** The menu closes after any other button. */
  const stay = (next: () => void) => (event: MouseEvent) => {
    event.stopPropagation()
    next()
  }
  if (problem !== null) {
    return (
      <p className={styles['problem']} role="alert">
        {problem}
      </p>
    )
  }
  if (step === 'idle') {
    return (
      <button type="button" className={styles['action']} onClick={stay(() => setStep('asking'))}>
        削除<span className="visually-hidden">{`（${number}を）`}</span>
      </button>
    )
  }
  return (
    <>
      <button
        type="button"
        // In the place of what was pressed, so that a double press deletes nothing.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        className={styles['action']}
        onClick={stay(() => setStep('idle'))}
      >
        やめる
      </button>
      <button
        type="button"
        className={`${styles['action']} ${styles['danger']}`}
        disabled={step === 'sent'}
        onClick={stay(() => void remove())}
      >
        {number === 1 ? 'スレッドごと削除する' : '本当に削除する'}
      </button>
    </>
  )
}
