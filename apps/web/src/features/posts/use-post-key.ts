import type { Post } from '@shinobi/contract/posts'
import { useNow } from '../../lib/clock.tsx'
import { tokyoYear } from '../../lib/format-date.ts'
import { parseContent } from './parse-content.ts'
import { useThreadActions } from './thread-context.ts'

/** Whether a post names one that may not exist yet: such an anchor becomes a link later. */
const looksAhead = ({ content, number }: Post): boolean =>
  /[>＞]{2}/u.test(content) &&
  parseContent(content).some((token) => token.kind === 'anchor' && token.ranges.some(({ from }) => from > number))

/**
 * Names what the markup of a post depends on, for the server to keep it (lib/kept-item.tsx): what a
 * post shows before hydration must be in here. Null for the opening post of a news thread, which
 * shows the summary.
 */
export function usePostKey(): (post: Post, answers: readonly number[] | undefined) => string | null {
  const { reply, opening, newest } = useThreadActions()
  const year = tokyoYear(useNow())
  return (post, answers) => {
    if (!import.meta.env.SSR || (opening !== null && post.number === 1)) return null
    return JSON.stringify([post, answers, reply === null, year, looksAhead(post) && newest.get()])
  }
}
