import type { Post } from '@shinobi/contract/posts'
import type { ReactNode } from 'react'
import { useReportActions } from './report-context.ts'

interface ReportButtonProps {
  post: Post
  className: string
  /** Start of the reason, for a button that belongs to a particular item. */
  begun?: string
  /** The part of the post that it is about. */
  part?: string
  /** Label instead of 通報. */
  children?: ReactNode
}

/** 通報, inconspicuous among the other actions of a post. */
export function ReportButton({ post, className, begun = '', part, children }: ReportButtonProps) {
  const { report, prepare } = useReportActions()
  return (
    <button
      type="button"
      className={className}
      aria-haspopup="dialog"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => report(post, begun, part)}
    >
      {children ?? (
        <>
          通報<span className="visually-hidden">{`（${post.number}を）`}</span>
        </>
      )}
    </button>
  )
}
