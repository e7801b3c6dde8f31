import { inFigures } from '@shinobi/contract/in-figures'
import type { Post } from '@shinobi/contract/posts'
import { NAMELESS } from '@shinobi/contract/nameless'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { useUserId } from '../../accounts/use-session.ts'
import { isOwnPost, useOwnPosts } from '../../reading/own-posts.ts'
import { AnswerCount } from '../answer-count.tsx'
import { backLinks } from '../back-links.ts'
import { PopoverLayer } from '../popover-layer.tsx'
import { PopoverPost } from '../popover-posts.tsx'
import { SearchProgress } from '../search-progress.tsx'
import { ThreadActionsProvider, useThreadActions, type ThreadActions } from '../thread-context.ts'
import { useHiding } from '../use-hiding.ts'
import { useThreadPosts } from '../use-thread-posts.ts'
import { viewImage } from '../view-image.ts'
import { extract, type Person, type Wanted } from './extract.ts'
import { ImageGrid } from './image-grid.tsx'
import { JumpForm } from './jump-form.tsx'
import { TakeAlong } from './take-along.tsx'
import styles from './thread-tools.module.css'

/** Results shown at once; a press shows as many more. */
const SHOWN = 100

type Choice = 'grid' | Wanted['kind']

const CHOICES: readonly { readonly value: Choice; readonly label: string; readonly none: string }[] = [
  { value: 'grid', label: '画像一覧', none: '画像はありません。' },
  { value: 'answered', label: '人気レス', none: '返信が3件以上ある書き込みはありません。' },
  { value: 'liked', label: 'いいね', none: 'いいねのある書き込みはありません。' },
  { value: 'images', label: '画像あり', none: '画像のある書き込みはありません。' },
  { value: 'links', label: 'リンクあり', none: 'リンクのある書き込みはありません。' },
  { value: 'own', label: '自分と返信', none: 'この端末からの書き込みは見つかりませんでした。' },
]

export interface ThreadToolsProps {
  open: boolean
  onClose: () => void
  /** Whose posts are shown first; null when nothing was asked for yet. */
  person: Person | null
  /** The first post that was not read; null when all were, or none is known. */
  firstUnread: number | null
  /** 実況 is chosen; null where nothing arrives any more. */
  follows: boolean | null
  onFollow: (follows: boolean) => void
}

/** Moving to any post of a thread, and lists of posts picked from all of it. */
export function ThreadTools({ open, onClose, person, firstUnread, follows, onFollow }: ThreadToolsProps) {
  const actions = useThreadActions()
  const goTo = (number: number) => {
    onClose()
    actions.goTo(number)
  }
  return (
    <Dialog open={open} onClose={onClose} title="このスレッド" side="bottom">
      <JumpForm newest={actions.newest.get()} firstUnread={firstUnread} onJump={goTo} />
      {follows !== null && (
        <Switch checked={follows} onChange={onFollow}>
          実況（新しい書き込みを追う）
        </Switch>
      )}
      <Extraction key={keyOf(person)} person={person} goTo={goTo} />
      <TakeAlong threadId={actions.threadId} />
    </Dialog>
  )
}

/** An ID that is pressed among the results shows its own posts. */
const keyOf = (person: Person | null): string =>
  person === null ? '' : person.kind === 'id' ? person.id : labelOf(person)

function labelOf(person: Person): string {
  if (person.kind === 'id') return `ID:${person.id}の書き込み`
  const { name, trip } = person.writer
  return `${name ?? NAMELESS}${trip === undefined ? '' : `◆${trip}`}の書き込み`
}

function Extraction({ person, goTo }: Pick<ThreadToolsProps, 'person'> & Pick<ThreadActions, 'goTo'>) {
  const [choice, setChoice] = useState<Choice | null>(person?.kind ?? null)
  const choices = [
    ...(person === null ? [] : [{ value: person.kind, label: labelOf(person), none: NONE_OF_ID }]),
    ...CHOICES,
  ]
  const chosen = choices.find(({ value }) => value === choice)
  return (
    <section aria-label="抽出">
      <div className={styles['choices']}>
        {choices.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            className={styles['choice']}
            aria-pressed={value === choice}
            data-autofocus={value === person?.kind ? '' : undefined}
            onClick={() => setChoice(value)}
          >
            {label}
          </button>
        ))}
      </div>
      {chosen !== undefined && (
        <Results
          key={chosen.value}
          wanted={wantedOf(chosen.value, person)}
          asGrid={chosen.value === 'grid'}
          none={chosen.none}
          goTo={goTo}
        />
      )}
    </section>
  )
}

/** A typed ID may be of another thread. */
const NONE_OF_ID = 'このスレッドには、このIDの書き込みはありません。'

function wantedOf(choice: Choice, person: Person | null): Wanted {
  if (person?.kind === choice) return person
  return { kind: choice === 'grid' || choice === 'writer' || choice === 'id' ? 'images' : choice }
}

interface ResultsProps extends Pick<ThreadActions, 'goTo'> {
  wanted: Wanted
  asGrid: boolean
  /** What is said when there are no results. */
  none: string
}

const cellOf = ({ number }: Post): HTMLElement | null => document.querySelector(`[data-picture="${number}"]`)

function Results({ wanted, asGrid, none, goTo }: ResultsProps) {
  const actions = useThreadActions()
  const search = useThreadPosts(0)
  const { posts } = search
  const own = useOwnPosts(actions.threadId)
  const me = useUserId()
  const [shown, setShown] = useState(SHOWN)
  const hiding = useHiding(actions.threadId, posts)
  const isListed = (post: Post) => {
    const hidden = hiding.of(post.number)
    // A folded image is seen by those who unfold its post, a hidden one by those who show it.
    return asGrid ? !post.folded && hidden === undefined : hidden?.rule.traceless !== true
  }
  const found = extract(posts, wanted, (post) => isOwnPost(own, me, post)).filter(isListed)
  const first = found.slice(0, shown)
  const answers = backLinks(posts)
  const within: ThreadActions = {
    ...actions,
    goTo,
    posts: () => posts,
    findPost: (number) => actions.findPost(number) ?? posts.find((post) => post.number === number),
    viewImage: (post) =>
      void viewImage(
        post,
        found.filter(({ number }) => hiding.of(number) === undefined),
        asGrid ? cellOf : undefined,
      ),
  }
  const isDone = search.share === 1 && !search.failed
  return (
    <ThreadActionsProvider value={within}>
      <PopoverLayer>
        <SearchProgress {...search} />
        <p role="status" className={styles['count']}>
          {isDone && (found.length === 0 ? none : `${inFigures(found.length)}件`)}
        </p>
        {asGrid ? (
          <ImageGrid posts={first} />
        ) : (
          <ol className={styles['results']} aria-label="抽出した書き込み">
            {first.map((post) => (
              <li key={post.number} className={styles['result']}>
                <PopoverPost post={post} hiding={hiding}>
                  <Marks post={post} answers={answers.get(post.number)?.length ?? 0} />
                </PopoverPost>
              </li>
            ))}
          </ol>
        )}
        {found.length > shown && (
          <Button onClick={() => setShown(shown + SHOWN)}>ほか{inFigures(found.length - shown)}件を表示</Button>
        )}
      </PopoverLayer>
    </ThreadActionsProvider>
  )
}

function Marks({ post, answers }: { post: Post; answers: number }) {
  return (
    <>
      {answers > 0 && <AnswerCount number={post.number} count={answers} />}
      {post.likes > 0 && <span>いいね {inFigures(post.likes)}</span>}
    </>
  )
}
