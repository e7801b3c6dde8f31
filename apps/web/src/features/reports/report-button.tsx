import type { Post } from '@shinobi/contract/posts'
import { useReportActions } from './report-context.ts'

/** 通報, quiet among the other actions of a post. */
export function ReportButton({ post, className }: { post: Post; className: string }) {
  const { report, prepare } = useReportActions()
  return (
    <button
      type="button"
      className={className}
      aria-haspopup="dialog"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => report(post)}
    >
      通報<span className="visually-hidden">（{post.number}を）</span>
    </button>
  )
}
