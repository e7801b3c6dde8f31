import type { AnswerOf } from '@shinobi/contract/common'
import type { listNewsStories, NewsStory } from '@shinobi/contract/news'
import { NEWS_PROBLEMS, SUMMARY_CURRENCY } from '@shinobi/contract/news-labels'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { Loaded } from '../admin/screen.tsx'
import { cx } from '../../ui/cx.ts'
import { ChevronIcon } from '../../ui/icons.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import styles from './story-list.module.css'
import { StoryFacts, StoryTitle, StoryView } from './story-view.tsx'

interface StoryListProps {
  query: UseInfiniteQueryResult<InfiniteData<AnswerOf<typeof listNewsStories>>>
  /** The words for no stories. */
  empty: string
  /** The actions of a story. */
  children: (story: NewsStory) => ReactNode
}

/** A list of stories; each opens to show its sources. */
export const StoryList = ({ query, empty, children }: StoryListProps) => (
  <Loaded query={query}>
    {({ pages }) => {
      const stories = pages.flatMap((page) => page.stories)
      // The rows are those of another list, while new ones are being loaded.
      const stale = query.isPlaceholderData
      if (stories.length === 0) return <EmptyState title={empty} />
      return (
        <>
          <ul className={cx(styles['list'], stale && styles['stale'])} aria-busy={stale || undefined}>
            {stories.map((story) => (
              <StoryRow key={story._id} story={story}>
                {children(story)}
              </StoryRow>
            ))}
          </ul>
          <MoreButton query={query} />
        </>
      )
    }}
  </Loaded>
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
