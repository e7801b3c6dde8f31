import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, type ReactNode } from 'react'
import { loadChunk } from '../../lib/load-chunk.ts'
import { useLoadedDialog } from '../../lib/use-loaded-dialog.ts'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import { useMember } from '../accounts/use-session.ts'
import { scrollQuery } from '../levels/api.ts'
import { isOwnPost, useOwnPosts } from '../reading/own-posts.ts'
import { rereadThread } from '../threads/reread-thread.ts'
import type { OwnerDialogProps } from './owner-dialog.tsx'

/** Opens the dialog of the opener, for a post, or for the thread. */
type AskOwner = (post: Post | null) => void

const OwnerContext = createContext<AskOwner | null>(null)

const loadDialog = async () => (await loadChunk(() => import('./owner-dialog.tsx'))).OwnerDialog

/**
 * Provides what the opener of a thread (スレ主) may do in it, for the buttons inside. The browser
 * knows its own threads, and asks for the level only there.
 */
export function Owners({ thread, children }: { thread: Thread; children: ReactNode }) {
  const { _id: threadId, userId, locked } = thread
  const client = useQueryClient()
  const me = useMember()?._id
  const isOpener = isOwnPost(useOwnPosts(threadId), me, { number: 1, userId }) && !locked
  const scroll = useQuery({ ...scrollQuery(me ?? null), enabled: isOpener })
  const mayAct = isOpener && scroll.data?.opens.some(({ what, isOpen }) => what === 'owner' && isOpen) === true
  const { notice, show, clear } = useTimedNotice()
  const { shown, open, close } = useLoadedDialog<OwnerDialogProps, Post | null>(loadDialog, show)
  return (
    <OwnerContext value={mayAct ? open : null}>
      {children}
      {shown !== null && (
        <shown.Dialog
          key={shown.subject?._id ?? threadId}
          thread={thread}
          post={shown.subject}
          open={shown.isOpen}
          onClose={close}
          onDone={(words) => {
            close()
            show(words, 'success')
            void rereadThread(client, threadId)
          }}
        />
      )}
      <NoticeRegion notice={notice} onClose={clear} />
    </OwnerContext>
  )
}

/** Null for everybody but the opener of the thread. */
export const useOwner = (): AskOwner | null => use(OwnerContext)

/** スレ主… among the actions of a post. */
export function OwnerButton({ post, className }: { post: Post; className: string }) {
  const ask = useOwner()
  if (ask === null) return null
  return (
    <button
      type="button"
      className={className}
      aria-haspopup="dialog"
      onClick={() => ask(post.number === 1 ? null : post)}
    >
      スレ主…<span className="visually-hidden">{`（${post.number}に）`}</span>
    </button>
  )
}
