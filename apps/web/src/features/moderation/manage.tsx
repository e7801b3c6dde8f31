import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { createContext, use, useMemo, useState, type ComponentType, type ReactNode } from 'react'
import { inTime } from '../../lib/in-time.ts'
import { moderatesIn } from '../../lib/runs-board.ts'
import { useMember } from '../../lib/use-session.ts'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import type { BanPlace } from './ban-dialog.tsx'
import type { ManageDialogProps } from './manage-dialog.tsx'

/** Opens the desk for a post; null for everybody who has none here. */
const ManageContext = createContext<((post: Post) => void) | null>(null)

const loadDialog = async () => (await inTime(() => import('./manage-dialog.tsx'))).ManageDialog

/** What moderators of a thread's category can do in the thread itself, for the `ManageButton`s inside. */
export function Manage({ place, children }: { place: BanPlace; children: ReactNode }) {
  const member = useMember()
  const may = member !== null && moderatesIn(member, place.categoryId)
  const [Dialog, setDialog] = useState<ComponentType<ManageDialogProps> | null>(null)
  const [post, setPost] = useState<Post | null>(null)
  const [open, setOpen] = useState(false)
  const { notice, show, clear } = useTimedNotice()
  const manage = useMemo(() => {
    if (!may) return null
    return (wanted: Post) =>
      void loadDialog().then(
        (loaded) => {
          setDialog(() => loaded)
          setPost(wanted)
          setOpen(true)
        },
        () => show(messages.unexpected),
      )
  }, [may, show])
  return (
    <ManageContext value={manage}>
      {children}
      {may && Dialog && post && (
        <Dialog key={post._id} post={post} place={place} open={open} onClose={() => setOpen(false)} />
      )}
      <NoticeRegion notice={notice} onClose={clear} />
    </ManageContext>
  )
}

/** 管理, for those alone who may. */
export function ManageButton({ post, className }: { post: Post; className: string }) {
  const manage = use(ManageContext)
  if (manage === null) return null
  return (
    <button type="button" className={className} aria-haspopup="dialog" onClick={() => manage(post)}>
      管理<span className="visually-hidden">{`（${post.number}を）`}</span>
    </button>
  )
}
