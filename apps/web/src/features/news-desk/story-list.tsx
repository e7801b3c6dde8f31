import type { NewsStory } from '@shinobi/contract/news'
import { NEWS_PROBLEMS, SUMMARY_CURRENCY } from '@shinobi/contract/news-labels'
import { useId, useState, type ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { ChevronIcon } from '../../ui/icons.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './story-list.module.css'
import { StoryFacts, StoryTitle, StoryView } from './story-view.tsx'

interface StoryListProps {
  stories: readonly NewsStory[]
  /** The rows are older ones, while new ones are being loaded. */
  stale?: boolean
  /** The actions of a story. */
  children: (story: NewsStory) => ReactNode
}

/** A list of stories; each opens to show its sources. */
export const StoryList = ({ stories, stale = false, children }: StoryListProps) => (
  <ul className={cx(styles['list'], stale && styles['stale'])} aria-busy={stale || undefined}>
    {stories.map((story) => (
      <StoryRow key={story._id} story={story}>
        {children(story)}
      </StoryRow>
    ))}
  </ul>
)

function StoryRow({ story, children }: { story: NewsStory; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <li className={styles['row']}>
      <h2 className={styles['title']}>
        <StoryTitle story={story} />
      </h2>
      <StoryFacts story={story} />
      <Marks story={story} />
      <div className={styles['actions']}>
        <Button
          size="sm"
          variant="ghost"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          aria-label={`「${story.title}」の要約と元の文`}
          icon={<ChevronIcon size={16} direction={open ? 'up' : 'down'} />}
          onClick={() => setOpen(!open)}
        >
          要約と元の文
        </Button>
        {children}
      </div>
      {open && (
        <div id={id} className={styles['body']}>
          <StoryView story={story} isMarked />
        </div>
      )}
    </li>
  )
}

/** Warnings that must be visible in the closed list. */
function Marks({ story: { sources, suspicious, problem, currency, corrections } }: { story: NewsStory }) {
  const marks = [
    sources.length > 1 && `元記事${sources.length}件`,
    corrections.length > 0 && `訂正${corrections.length}回`,
  ].filter((mark) => mark !== false)
  const changed = SUMMARY_CURRENCY[currency]
  const alarms = [
    problem !== null && NEWS_PROBLEMS[problem],
    suspicious.length > 0 && '機械に向けた文を除外',
    changed !== null && changed.mark,
  ].filter((mark) => mark !== false)
  if (marks.length + alarms.length === 0) return null
  return (
    <p className={styles['marks']}>
      {alarms.map((mark) => (
        <b key={mark} className={styles['alarm']}>
          {mark}
        </b>
      ))}
      {marks.map((mark) => (
        <span key={mark}>{mark}</span>
      ))}
    </p>
  )
}
