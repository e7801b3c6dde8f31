import type { CaseReport } from '@shinobi/contract/moderation'
import { may } from '@shinobi/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMember } from '../accounts/use-session.ts'
import { summaryQuery } from '../news/api.ts'
import { isSentenceReport } from '../news/sentence-report.ts'
import { Button } from '../../ui/button.tsx'
import { storyOfThreadQuery, useReloadNews, withdrawStory } from './api.ts'
import { CorrectDialog } from './correct-dialog.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import styles from './reported-summary.module.css'
import { Sentences, Sources } from './story-view.tsx'

interface ReportedSummaryProps {
  threadId: string
  reports: readonly CaseReport[]
  /** The summary was corrected or withdrawn; receives the words for it. */
  onDecided: (words: string) => void
}

/**
 * A summary on the desk of reports: its sentences beside their passages, with the number of reports
 * about each, and its articles. Administrators correct it here, or take it down.
 */
export function ReportedSummary({ threadId, reports, onDecided }: ReportedSummaryProps) {
  const { data: summary } = useQuery(summaryQuery(threadId))
  const isForAll = may(useMember(), 'runNews')
  if (summary === undefined) return null
  const renderMark = (text: string) => {
    const count = reports.filter(({ reason }) => isSentenceReport(reason, text)).length
    return count > 0 && <p className={styles['reported']}>この文への通報 {count}件</p>
  }
  return (
    <section className={styles['summary']} aria-label="通報された要約">
      <Sentences sentences={summary.sentences} kind={summary.kind} renderMark={renderMark} />
      <Sources sources={summary.sources} />
      {isForAll ? (
        <Decisions threadId={threadId} onDecided={onDecided} />
      ) : (
        <p className={styles['hint']}>訂正と取り下げは、管理者が行います。</p>
      )}
    </section>
  )
}

function Decisions({ threadId, onDecided }: Pick<ReportedSummaryProps, 'threadId' | 'onDecided'>) {
  const userId = useMember()?._id ?? ''
  const { data: story = null, refetch } = useQuery(storyOfThreadQuery(userId, threadId))
  const reload = useReloadNews(userId)
  const [open, setOpen] = useState<'correct' | 'withdraw' | null>(null)
  const close = () => setOpen(null)
  const finish = async (words: string) => {
    close()
    await reload()
    onDecided(words)
  }
  return (
    <>
      <div className={styles['actions']}>
        <Button size="sm" disabled={story === null} onClick={() => setOpen('correct')}>
          訂正
        </Button>
        <Button size="sm" variant="danger" disabled={story === null} onClick={() => setOpen('withdraw')}>
          取り下げる
        </Button>
      </div>
      <CorrectDialog
        story={open === 'correct' ? story : null}
        onClose={close}
        onReload={async () => (await refetch()).data ?? undefined}
        onCorrected={() => finish('要約を訂正しました。')}
      />
      <ReasonDialog
        open={open === 'withdraw' && story !== null}
        title="ニュースの取り下げ"
        label="取り下げる"
        onClose={close}
        onConfirm={async (reason) => {
          await withdrawStory(story!._id, reason)
          await finish('ニュースを取り下げました。')
        }}
      >
        <p>「{story?.title}」を取り下げますか？スレッドは、書き込みごと板から消えます。</p>
      </ReasonDialog>
    </>
  )
}
