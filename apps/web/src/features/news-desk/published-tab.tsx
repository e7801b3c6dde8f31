import type { NewsStory, StoryList as ListName } from '@shinobi/contract/news'
import { STORY_STATES } from '@shinobi/contract/news-labels'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Segments } from '../admin/segments.tsx'
import { useLast } from '../admin/use-last.ts'
import { useAct } from '../admin/use-act.ts'
import { decideStory, newsStoriesQuery, withdrawStory } from './api.ts'
import { Button } from '../../ui/button.tsx'
import { CorrectDialog } from './correct-dialog.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { StoryList } from './story-list.tsx'
import type { TabProps } from './tab-props.ts'

const SHOWN = [
  { value: 'published', label: STORY_STATES.published, empty: '掲載した記事はまだありません。' },
  { value: 'changed', label: '要確認', empty: '元記事が変わった要約で、確かめていないものはありません。' },
  { value: 'ready', label: STORY_STATES.ready, empty: '掲載の順番を待つ記事はありません。' },
  { value: 'new', label: STORY_STATES.new, empty: '要約を待つ記事はありません。' },
  { value: 'withdrawn', label: STORY_STATES.withdrawn, empty: '取り下げた記事はありません。' },
] as const satisfies readonly { value: ListName; label: string; empty: string }[]

const storiesOf = (data: { pages: readonly { stories: readonly NewsStory[] }[] } | undefined): readonly NewsStory[] =>
  data?.pages.flatMap((page) => page.stories) ?? []

/** Stories that are published or about to be, and withdrawn ones. */
export function PublishedTab({ userId, results, onChanged }: TabProps) {
  const [parameters] = useSearchParams()
  const shown = SHOWN.find(({ value }) => value === parameters.get('show')) ?? SHOWN[0]
  const stories = useInfiniteQuery(newsStoriesQuery(userId, shown.value))
  const [withdrawing, setWithdrawing] = useState<NewsStory | null>(null)
  const [correcting, setCorrecting] = useState<NewsStory | null>(null)
  const subject = useLast(withdrawing)
  const { busy, act } = useAct({ results, onChanged })
  return (
    <>
      <Segments
        label="表示する記事"
        options={SHOWN}
        value={shown.value}
        addressOf={(show) => `?tab=published&show=${show}`}
      />
      <StoryList query={stories} empty={shown.empty}>
        {(story) =>
          story.state === 'published' && (
            <>
              {story.currency !== 'current' && story.reviewedAt === null && (
                <Button
                  size="sm"
                  busy={busy === story._id}
                  aria-label={`「${story.title}」をこのまま残す`}
                  onClick={() => void act(story._id, () => decideStory(story._id, 'keep'), 'このまま残しました。')}
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
      <CorrectDialog
        story={correcting && (storiesOf(stories.data).find(({ _id }) => _id === correcting._id) ?? correcting)}
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
