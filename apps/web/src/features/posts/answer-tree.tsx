import { inFigures } from '@shinobi/contract/in-figures'
import type { Post } from '@shinobi/contract/posts'
import { useState } from 'react'
import styles from './answer-tree.module.css'
import { autoOpened } from './answer-paths.ts'
import { backLinks, type Answers } from './back-links.ts'
import { PopoverPost } from './popover-posts.tsx'
import { SearchProgress } from './search-progress.tsx'
import { useThreadActions } from './thread-context.ts'
import { useHiding, type Hiding } from './use-hiding.ts'
import { useThreadPosts } from './use-thread-posts.ts'

/** Answers to one post beyond this number are shown on request. */
const SHOWN_MAX = 50
/** Deeper levels are not indented further, because a phone is narrow. */
const INDENTED_MAX = 6

/** The answers to a post, with the answers to each of them below it. */
export function AnswerTree({ to }: { to: number }) {
  const search = useThreadPosts(to)
  const { posts } = search
  const answers = backLinks(posts)
  const [pressed, setPressed] = useState<ReadonlyMap<string, boolean>>(new Map())
  const opened = autoOpened(answers, to)
  const hiding = useHiding(useThreadActions().threadId, posts)
  return (
    <>
      <Level
        number={to}
        path={String(to)}
        depth={0}
        posts={new Map(posts.map((post) => [post.number, post]))}
        answers={answers}
        hiding={hiding}
        isOpen={(path) => pressed.get(path) ?? opened.has(path)}
        onPress={(path, open) => setPressed(new Map(pressed).set(path, open))}
      />
      <SearchProgress {...search} />
      {search.share === 1 && !answers.has(to) && <p className={styles['note']}>返信はありません。</p>}
    </>
  )
}

interface LevelProps {
  number: number
  /** The numbers from the root to here: a post that answers two others is in two places. */
  path: string
  depth: number
  posts: ReadonlyMap<number, Post>
  answers: Answers
  hiding: Hiding
  isOpen: (path: string) => boolean
  onPress: (path: string, open: boolean) => void
}

function Level({ number, path, depth, ...rest }: LevelProps) {
  const { posts, answers, hiding, isOpen, onPress } = rest
  const [all, setAll] = useState(false)
  const numbers = answers.get(number) ?? []
  const shown = all ? numbers : numbers.slice(0, SHOWN_MAX)
  const more = numbers.length - shown.length
  return (
    <ul className={styles['level']} data-indented={(depth > 0 && depth <= INDENTED_MAX) || undefined}>
      {shown.map((answer) => {
        const post = posts.get(answer)
        if (post === undefined || hiding.of(answer)?.rule.traceless === true) return null
        const below = `${path}/${answer}`
        const count = answers.get(answer)?.length ?? 0
        const open = isOpen(below)
        return (
          <li key={answer} className={styles['answer']}>
            <PopoverPost post={post} hiding={hiding}>
              {count > 0 && (
                <button
                  type="button"
                  className={styles['count']}
                  aria-expanded={open}
                  onClick={() => onPress(below, !open)}
                >
                  返信 {inFigures(count)}
                  <span className="visually-hidden">{`件（${answer}への返信）`}</span>
                </button>
              )}
            </PopoverPost>
            {open && count > 0 && <Level {...rest} number={answer} path={below} depth={depth + 1} />}
          </li>
        )
      })}
      {more > 0 && (
        <li>
          <button type="button" className={styles['count']} onClick={() => setAll(true)}>
            ほか{inFigures(more)}件を表示
          </button>
        </li>
      )}
    </ul>
  )
}
