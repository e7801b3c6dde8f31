import { inFigures } from '@shinobi/contract/in-figures'
import type { NewsArticle, NewsStory } from '@shinobi/contract/news'
import { NEWS_PROBLEMS } from '@shinobi/contract/news-labels'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { MoreButton } from '../admin/more-button.tsx'
import { Loaded } from '../admin/screen.tsx'
import toolbar from '../admin/toolbar.module.css'
import { approveStory, newsArticlesQuery, newsStoriesQuery, retryStory } from './api.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { sayApproved, whenNext } from './next-run.ts'
import { Segments } from './segments.tsx'
import { StoryList } from './story-list.tsx'
import styles from './skipped-tab.module.css'
import type { TabProps } from './tab-props.ts'

const SHOWN = [
  { value: 'articles', label: '使えなかった記事' },
  { value: 'refused', label: '要約できず' },
  { value: 'rejected', label: '却下' },
] as const

/** Stories that became no thread, with the reasons. */
export function SkippedTab(props: TabProps) {
  const [parameters] = useSearchParams()
  const shown = SHOWN.find(({ value }) => value === parameters.get('show'))?.value ?? 'articles'
  return (
    <>
      <div className={toolbar['toolbar']}>
        <Segments
          label="表示する記事"
          options={SHOWN}
          value={shown}
          to={(value) => (value === 'articles' ? '?tab=skipped' : `?tab=skipped&show=${value}`)}
        />
      </div>
      {shown === 'articles' ? <Articles userId={props.userId} /> : <Stories key={shown} state={shown} {...props} />}
    </>
  )
}

const COLUMNS: readonly Column<NewsArticle>[] = [
  {
    label: '記事',
    kind: 'head',
    cell: ({ title, url }) =>
      url === null ? (
        title || '（タイトルなし）'
      ) : (
        <a href={url} target="_blank" rel="noopener">
          {title || url}
          <span className="visually-hidden">（新しいタブ）</span>
        </a>
      ),
  },
  {
    label: '理由',
    cell: ({ problem, attempts }) =>
      problem === null ? null : (
        <>
          {NEWS_PROBLEMS[problem]}
          {attempts > 0 && <span className={styles['tries']}>（{inFigures(attempts)}回やり直しました）</span>}
        </>
      ),
  },
  { label: '情報源', cell: ({ source }) => source },
  { label: '見つけた日時', kind: 'short', cell: ({ foundAt }) => <DateTime value={foundAt} /> },
]

function Articles({ userId }: { userId: string }) {
  const articles = useInfiniteQuery(newsArticlesQuery(userId, 'skipped'))
  return (
    <Loaded query={articles}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.articles)
        if (rows.length === 0) return <EmptyState title="使えなかった記事はありません。" />
        return (
          <>
            <Table
              caption="使えなかった記事"
              columns={COLUMNS}
              rows={rows}
              keyOf={({ _id }) => _id}
              stale={articles.isPlaceholderData}
            />
            <MoreButton query={articles} />
          </>
        )
      }}
    </Loaded>
  )
}

/** The actions that are still possible for a story. */
const ACTIONS = {
  refused: {
    act: retryStory,
    label: 'もう一度要約',
    describe: (status: TabProps['status']) => `${whenNext(status)}もう一度要約します。`,
  },
  rejected: { act: approveStory, label: '承認', describe: sayApproved },
} as const

function Stories({ userId, status, results, onChanged, state }: TabProps & { state: 'refused' | 'rejected' }) {
  const stories = useInfiniteQuery(newsStoriesQuery(userId, state))
  const [busy, setBusy] = useState<string | null>(null)
  const { act, label, describe } = ACTIONS[state]
  const press = async ({ _id }: NewsStory) => {
    setBusy(_id)
    try {
      await act(_id)
      results.say(describe(status))
    } catch (error) {
      results.fail(error)
    }
    await onChanged()
    setBusy(null)
  }
  return (
    <Loaded query={stories}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.stories)
        if (rows.length === 0)
          return (
            <EmptyState
              title={state === 'refused' ? '要約できなかった記事はありません。' : '却下した記事はありません。'}
            />
          )
        return (
          <>
            <StoryList stories={rows} stale={stories.isPlaceholderData}>
              {(story) =>
                story.state === state && (
                  <Button
                    size="sm"
                    busy={busy === story._id}
                    aria-label={`「${story.title}」を${label}`}
                    onClick={() => void press(story)}
                  >
                    {label}
                  </Button>
                )
              }
            </StoryList>
            <MoreButton query={stories} />
          </>
        )
      }}
    </Loaded>
  )
}
