import type { OwnerAction } from '@shinobi/contract/owners'
import type { Post } from '@shinobi/contract/posts'
import { deferred } from '../../lib/deferred.tsx'
import { markNear } from '../../lib/mark-near.ts'
import { isOwnPost } from '../reading/own-posts.ts'
import { ReadLine } from '../reading/read-line.tsx'
import type { Answers } from './back-links.ts'
import { HiddenPost } from './hidden-post.tsx'
import styles from './post-list.module.css'
import { usePostMarkup } from './post-markup.ts'
import { PostView } from './post-view.tsx'
import type { Hiding } from './use-hiding.ts'

const OwnerNotes = deferred(
  async () => (await import('./owner-notes.tsx')).OwnerNotes,
  'src/features/posts/owner-notes.tsx',
)

/** Posts that the browser skips together while they are far from the screen. */
const GROUP_SIZE = 25

interface PostGroupProps {
  posts: readonly Post[]
  answers: Answers
  /** Numbers of the posts of this browser. */
  own: ReadonlySet<number>
  /** Id of the member who reads. */
  me: string | undefined
  hiding: Hiding
  /** Posts above this number arrived while the page was open. */
  baseline: number
  /** Number of the last shown post that was read before this visit. */
  line: number
  /** Numbers of the posts that are laid out at once: a wrong estimate of theirs would be seen. */
  laidOut: ReadonlySet<number>
  /** Of the opener, below post 1. */
  notes: readonly OwnerAction[]
}

/** Runs of posts by number, so that posts that are loaded later change none of the others. */
export function groupPosts(posts: readonly Post[]): [group: number, posts: readonly Post[]][] {
  const groups: [number, Post[]][] = []
  for (const post of posts) {
    const group = Math.floor((post.number - 1) / GROUP_SIZE)
    const last = groups.at(-1)
    if (last?.[0] === group) last[1].push(post)
    else groups.push([group, [post]])
  }
  return groups
}

/** A run of posts. React renders a long thread one by one of these. */
export function PostGroup({ posts, answers, own, me, hiding, baseline, line, laidOut, notes }: PostGroupProps) {
  const markupOf = usePostMarkup(notes.length > 0)
  const isLaidOut = ({ number }: Post) => laidOut.has(number)
  return (
    // From the beginning, so that the text of the first screen comes with the first frame.
    <ol ref={markNear} className={styles['group']} data-near={posts.some(isLaidOut) ? '' : undefined}>
      {posts.map((post) => {
        const markup = markupOf(post, answers.get(post.number))
        const place = isLaidOut(post) ? styles['laidOut'] : undefined
        if (markup !== null) {
          return <li key={post._id} className={place} dangerouslySetInnerHTML={{ __html: markup }} />
        }
        const hidden = hiding.of(post.number)
        return (
          <li key={post._id} className={place} hidden={hidden?.rule.traceless === true}>
            {hidden === undefined ? (
              <PostView
                post={post}
                answers={answers.get(post.number)}
                isOwn={isOwnPost(own, me, post)}
                isFresh={post.number > baseline}
              />
            ) : (
              <HiddenPost number={post.number} hidden={hidden} onShow={hiding.show} isTarget />
            )}
            {post.number === 1 && !post.deleted && hidden === undefined && notes.length > 0 && (
              <OwnerNotes notes={notes} />
            )}
            {post.number === line && <ReadLine />}
          </li>
        )
      })}
    </ol>
  )
}
