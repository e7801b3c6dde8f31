import { inFigures } from '@shinobi/contract/in-figures'
import type { NewsArticle, NewsStory } from '@shinobi/contract/news'
import { NEWS_PROBLEMS } from '@shinobi/contract/news-labels'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { ListedTable } from '../admin/listed-table.tsx'
import { Segments } from '../admin/segments.tsx'
import { useAct } from '../admin/use-act.ts'
import { decideStory, newsArticlesQuery, newsStoriesQuery } from './api.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { Button } from '../../ui/button.tsx'
import { OutsideLink } from '../../ui/new-tab-link.tsx'
import type { Column } from '../../ui/table.tsx'
import { sayApproved, whenNext } from './next-run.ts'
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
      <Segments label="表示する記事" options={SHOWN} value={shown} addressOf={(show) => `?tab=skipped&show=${show}`} />
      {shown === 'articles' ? <Articles userId={props.userId} /> : <Stories key={shown} state={shown} {...props} />}
    </>
  )
}

const COLUMNS: readonly Column<NewsArticle>[] = [
  {
    label: '記事',
    kind: 'head',
    cell: ({ title, url }) =>
      url === null ? title || '（タイトルなし）' : <OutsideLink url={url}>{title || url}</OutsideLink>,
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
  const query = useInfiniteQuery(newsArticlesQuery(userId, 'skipped'))
  const words = { caption: '使えなかった記事', empty: '使えなかった記事はありません。' }
  return <ListedTable query={query} rowsOf={(page) => page.articles} columns={COLUMNS} {...words} />
}

/** What is still possible with a story. */
const ACTIONS = {
  refused: {
    empty: '要約できなかった記事はありません。',
    decision: 'retry',
    label: 'もう一度要約',
    describe: (status: TabProps['status'], story: NewsStory) => `${whenNext(status, story)}もう一度要約します。`,
  },
  rejected: {
    empty: '却下した記事はありません。',
    decision: 'approve',
    label: '承認',
    describe: sayApproved,
  },
} as const

function Stories({ userId, status, results, onChanged, state }: TabProps & { state: 'refused' | 'rejected' }) {
  const stories = useInfiniteQuery(newsStoriesQuery(userId, state))
  const { busy, act } = useAct({ results, onChanged })
  const { empty, decision, label, describe } = ACTIONS[state]
  return (
    <StoryList query={stories} empty={empty}>
      {(story) =>
        story.state === state && (
          <Button
            size="sm"
            busy={busy === story._id}
            aria-label={`「${story.title}」を${label}`}
            onClick={() => void act(story._id, () => decideStory(story._id, decision), describe(status, story))}
          >
            {label}
          </Button>
        )
      }
    </StoryList>
  )
}
