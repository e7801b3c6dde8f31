import type { ModerationCase } from '@shinobi/contract/moderation'
import { useEffect, type ComponentProps, type ReactNode } from 'react'
import { EmptyState } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { CaseSort } from './api.ts'
import { BanDialog } from './ban-dialog.tsx'
import { CaseActions } from './case-actions.tsx'
import { CaseList, keyOfCase } from './case-list.tsx'
import { CaseNote } from './case-note.tsx'
import { CaseView } from './case-view.tsx'
import { ChoiceStrip } from './choice-strip.tsx'
import { DeskNewsLine } from './desk-news.tsx'
import { DeskWaiting } from './desk-waiting.tsx'
import styles from './desk.module.css'
import { KeyHelp, type KeyEntry } from '../../ui/key-help.tsx'
import { useCaseDesk } from './use-case-desk.ts'

const KEYS: readonly KeyEntry[] = [
  ['j・→', '次の通報'],
  ['k・←', '前の通報'],
  ['d', '却下（問題なし）'],
  ['r', '削除。続けて1〜4で理由、Enterで前と同じ理由'],
  ['a', '同じ人の書き込みをまとめて削除。続けて理由'],
  ['b', '削除して、書き込んだ人を制限'],
  ['l', 'スレッドをロック'],
  ['u', '直前の操作を取り消し'],
  ['n', 'メモを書く'],
  ['m', '通報者を除外、または除外を解く'],
  ['v', '画像を見る、覆う'],
  ['o', 'スレッドを新しいタブで開く'],
  ['?', 'この一覧'],
]

interface ReportsDeskProps {
  sort: CaseSort
  onCount: (count: number) => void
  /** Shows the summary of news; it calls `onDecided` with the words for what was done about it. */
  renderSummary: (one: ModerationCase, onDecided: (words: string) => void) => ReactNode
}

/** The open reports, one of them current, decided by keys. */
export function ReportsDesk({ sort, onCount, renderSummary }: ReportsDeskProps) {
  const { query, mayMute, view, front, ready, desk, noteField, choosing, open, close, ...rest } = useCaseDesk(sort)
  const { state, count, at } = desk
  useEffect(() => onCount(count), [onCount, count])
  if (query.data === undefined && count === 0) return <DeskWaiting query={query} />
  return (
    <div className={styles['desk']} data-empty={front === undefined || undefined}>
      <DeskNewsLine news={desk.news} />
      {front === undefined ? (
        <EmptyState title="対応を待つ通報はありません。">
          <p className={styles['hint']}>新しい通報が来ると、ここに現れます。</p>
        </EmptyState>
      ) : (
        <>
          <CaseList cases={state.items} current={state.current} problems={state.problems} onSelect={desk.select} />
          <CaseView
            key={keyOfCase(front)}
            ref={view}
            one={front}
            imageShown={desk.imageShown}
            onImage={desk.toggleImage}
            onMute={rest.mute}
            summary={
              front.thread.summary !== null &&
              front.post.number === 1 &&
              renderSummary(front, (words) => desk.leave(front, words))
            }
            foot={
              <div className={styles['note']}>
                <CaseNote
                  ref={noteField}
                  stored={front.note}
                  note={rest.note}
                  onType={rest.typeNote}
                  onDone={rest.saveNote}
                />
              </div>
            }
          >
            {desk.isGone && <Notice tone="info">この通報には、ほかの人が対応しました。</Notice>}
            {desk.problem !== undefined && <Notice tone="error">{desk.problem}</Notice>}
          </CaseView>
        </>
      )}
      <CaseActions
        actions={rest.actions}
        ready={ready}
        canUndo={desk.canUndo}
        place={front === undefined ? null : { at, count }}
        onStep={desk.move}
      >
        {choosing !== null && <ChoiceStrip key={choosing.title} {...choosing} />}
      </CaseActions>
      {front !== undefined && <BanWriter one={front} open={open === 'ban'} onClose={close} onBan={rest.ban} />}
      <KeyHelp open={open === 'help'} onClose={close} keys={mayMute ? KEYS : KEYS.filter(([key]) => key !== 'm')} />
    </div>
  )
}

type BanWriterProps = { one: ModerationCase } & Pick<ComponentProps<typeof BanDialog>, 'open' | 'onClose' | 'onBan'>

/** Bans the writer of a reported post. */
const BanWriter = ({ one: { post, thread }, ...rest }: BanWriterProps) => (
  <BanDialog
    target={{ threadId: thread._id, postId: post._id }}
    who={post.name ?? post.writer}
    place={{
      threadId: thread._id,
      threadTitle: thread.title,
      categoryId: thread.categoryId,
      category: thread.category,
    }}
    {...rest}
  />
)
