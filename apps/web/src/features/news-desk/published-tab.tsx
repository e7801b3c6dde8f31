import type { NewsStory, StoryList as ListName } from '@shinobi/contract/news'
import { STORY_STATES } from '@shinobi/contract/news-labels'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { MoreButton } from '../admin/more-button.tsx'
import { Loaded } from '../admin/screen.tsx'
import toolbar from '../admin/toolbar.module.css'
import { useLast } from '../admin/use-last.ts'
import { keepStory, newsStoriesQuery, withdrawStory } from './api.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { CorrectDialog } from './correct-dialog.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { Segments } from './segments.tsx'
import { StoryList } from './story-list.tsx'
import type { TabProps } from './tab-props.ts'

const SHOWN = ['published', 'changed', 'ready', 'new', 'withdrawn'] as const satisfies readonly ListName[]
const LABELS = { ...STORY_STATES, changed: '要確認' }

const EMPTY: Readonly<Record<(typeof SHOWN)[number], string>> = {
  published: '掲載した記事はまだありません。',
  changed: '元記事が変わった要約で、確かめていないものはありません。',
  ready: '掲載の順番を待つ記事はありません。',
  new: '要約を待つ記事はありません。',
  withdrawn: '取り下げた記事はありません。',
}

const storiesOf = (data: { pages: readonly { stories: readonly NewsStory[] }[] } | undefined): readonly NewsStory[] =>
  data?.pages.flatMap((page) => page.stories) ?? []

/** Stories that are published or about to be, and withdrawn ones. */
export function PublishedTab({ userId, results, onChanged }: TabProps) {
  const [parameters] = useSearchParams()
  const state = SHOWN.find((one) => one === parameters.get('show')) ?? 'published'
  const stories = useInfiniteQuery(newsStoriesQuery(userId, state))
  const [withdrawing, setWithdrawing] = useState<NewsStory | null>(null)
  const [correcting, setCorrecting] = useState<NewsStory | null>(null)
  const subject = useLast(withdrawing)
  const rows = storiesOf(stories.data)
  const keep = async ({ _id }: NewsStory): Promise<void> => {
    try {
      await keepStory(_id)
      results.say('このまま残しました。')
    } catch (error) {
      results.fail(error)
    }
    await onChanged()
  }
  return (
    <>
      <div className={toolbar['toolbar']}>
        <Segments
          label="表示する記事"
          options={SHOWN.map((value) => ({ value, label: LABELS[value] }))}
          value={state}
          to={(value) => (value === 'published' ? '?tab=published' : `?tab=published&show=${value}`)}
        />
      </div>
      <Loaded query={stories}>
        {() => {
          if (rows.length === 0) return <EmptyState title={EMPTY[state]} />
          return (
            <>
              <StoryList stories={rows} stale={stories.isPlaceholderData}>
                {(story) =>
                  story.state === 'published' && (
                    <>
                      {story.currency !== 'current' && story.reviewedAt === null && (
                        <Button
                          size="sm"
                          aria-label={`「${story.title}」をこのまま残す`}
                          onClick={() => void keep(story)}
                        >
                          このまま残す
                        </Button>
                      )}
                      <Button size="sm" aria-label={`「${story.title}」を訂正`} onClick={() => setCorrecting(story)}>
                        訂正
                      </Button>
                      <Button
                        size="sm"
                        variant="danger"
                        aria-label={`「${story.title}」を取り下げる`}
                        onClick={() => setWithdrawing(story)}
                      >
                        取り下げる
                      </Button>
                    </>
                  )
                }
              </StoryList>
              <MoreButton query={stories} />
            </>
          )
        }}
      </Loaded>
      <CorrectDialog
        story={correcting && (rows.find(({ _id }) => _id === correcting._id) ?? correcting)}
        onClose={() => setCorrecting(null)}
        onReload={async () => {
          const { data } = await stories.refetch()
          return storiesOf(data).find(({ _id }) => _id === correcting?._id)
        }}
        onCorrected={async () => {
          setCorrecting(null)
          results.say('訂正しました。')
          await onChanged()
        }}
      />
      <ReasonDialog
        open={withdrawing !== null}
        title="ニュースの取り下げ"
        label="取り下げる"
        onClose={() => setWithdrawing(null)}
        onConfirm={async (reason) => {
          await withdrawStory(withdrawing!._id, reason)
          setWithdrawing(null)
          results.say('取り下げました。')
          await onChanged()
        }}
      >
        <p>「{subject?.title}」を取り下げますか？スレッドは、書き込みごと板から消えます。</p>
      </ReasonDialog>
    </>
  )
}
