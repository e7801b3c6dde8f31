import { may } from '@shinobi/contract/permissions'
import type { Post } from '@shinobi/contract/posts'
import { createContext, use, type ReactNode } from 'react'
import { loadChunk } from '../../lib/load-chunk.ts'
import { useLoadedDialog } from '../../lib/use-loaded-dialog.ts'
import { useMember } from '../accounts/use-session.ts'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import type { BanPlace } from './ban-dialog.tsx'
import type { ManageDialogProps } from './manage-dialog.tsx'

/** Opens the desk for a post; null for visitors who may not moderate here. */
const ManageContext = createContext<((post: Post) => void) | null>(null)

const loadDialog = async () => (await loadChunk(() => import('./manage-dialog.tsx'))).ManageDialog

/**
 * Provides moderation in the thread itself to moderators of its category, for the `ManageButton`s
 * inside.
 */
export function Manage({ place, children }: { place: BanPlace; children: ReactNode }) {
  const isManager = may(useMember(), 'removePosts', place.categoryId)
  const { notice, show, clear } = useTimedNotice()
  const { shown, open, close } = useLoadedDialog<ManageDialogProps, Post>(loadDialog, show)
  return (
    <ManageContext value={isManager ? open : null}>
      {children}
      {isManager && shown && (
        <shown.Dialog key={shown.subject._id} post={shown.subject} place={place} open={shown.isOpen} onClose={close} />
      )}
      <NoticeRegion notice={notice} onClose={clear} />
    </ManageContext>
  )
}

/** 管理, only for moderators of the category. */
export function ManageButton({ post, className }: { post: Post; className: string }) {
  const manage = use(ManageContext)
  if (manage === null) return null
  return (
    <button type="button" className={className} aria-haspopup="dialog" onClick={() => manage(post)}>
      管理<span className="visually-hidden">{`（${post.number}を）`}</span>
    </button>
  )
}
