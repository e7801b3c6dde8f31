import type { CaseDecision, CaseReport, ModerationCase } from '@shinobi/contract/moderation'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, type ComponentProps } from 'react'
import { onQueueChanged } from '../../lib/queue-line.ts'
import { wordsOf } from '../../lib/use-request.ts'
import { useMember } from '../../lib/use-session.ts'
import { EmptyState } from '../../ui/empty.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { decideCase, noteCase, openCasesQuery, undoAction, type CaseSort } from './api.ts'
import { BanDialog } from './ban-dialog.tsx'
import { CaseActions } from './case-actions.tsx'
import { CaseList, keyOfCase } from './case-list.tsx'
import { CaseNote } from './case-note.tsx'
import { CaseView, postHref } from './case-view.tsx'
import { ChoiceStrip, stripKeys } from './choice-strip.tsx'
import { DeskNewsLine } from './desk-news.tsx'
import styles from './desk.module.css'
import { KeyHelp, type KeyEntry } from './key-help.tsx'
import { isRule, lastRule, rememberRule, RULE_CHOICES } from './rules.ts'
import { useDesk } from './use-desk.ts'
import { useMuting } from './use-muting.ts'
import { useKeys } from '../../lib/use-keys.ts'

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

/** A second key is awaited. */
type Strip = 'remove' | 'remove_all' | 'mute' | null

const REFILL_BELOW = 10

/** The open reports, one in front, decided key by key. */
export function ReportsDesk({ sort, onCount }: { sort: CaseSort; onCount: (count: number) => void }) {
  const client = useQueryClient()
  const userId = useMember()?._id ?? ''
  const query = useQuery(openCasesQuery(userId, sort))
  const reread = useCallback(
    () => void client.invalidateQueries({ queryKey: openCasesQuery(userId, sort).queryKey }),
    [client, userId, sort],
  )
  useEffect(() => onQueueChanged(reread), [reread])
  const desk = useDesk(query.data?.cases, keyOfCase, reread)
  const { front, state } = desk
  const [strip, setStrip] = useState<Strip>(null)
  const [open, setOpen] = useState<'ban' | 'help' | null>(null)
  const [seenImages, setSeenImages] = useState<ReadonlySet<string>>(new Set())
  const [notes, setNotes] = useState<ReadonlyMap<string, string>>(new Map())
  const view = useRef<HTMLElement>(null)
  const noteField = useRef<HTMLInputElement>(null)
  const isGone = state.gone !== null && state.gone === state.current

  const count = state.items.length
  useEffect(() => onCount(count), [onCount, count])
  const { data } = query
  useEffect(() => {
    if (count < REFILL_BELOW && data?.next != null) reread()
  }, [count, data, reread])

  // The hands stay on the keys, and the page is read out from where the eyes are; nothing is taken from who is writing.
  const current = state.current
  useEffect(() => {
    setStrip(null)
    const writing = document.activeElement?.closest('input, textarea, select, dialog') != null
    if (current !== null && !writing) view.current?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }, [current])

  const muting = useMuting(front, desk.tell, reread)
  const mute = (report: CaseReport) => {
    setStrip(null)
    muting.mute(report)
  }
  const chooseReporter = (key: string) => {
    setStrip(null)
    muting.choose(key)
  }
  const askMute = () => {
    const [first, second] = front?.reports ?? []
    if (first === undefined) return
    if (second === undefined) mute(first)
    else setStrip('mute')
  }

  const noteOf = (one: ModerationCase): string => notes.get(keyOfCase(one)) ?? one.note
  const decide = (decision: (note: string) => CaseDecision, words: string) => {
    if (front === undefined || isGone) return
    const note = noteOf(front).trim()
    setStrip(null)
    desk.decide(front, words, async () => {
      const actionId = await decideCase(front, decision(note))
      return () => undoAction(actionId)
    })
  }
  const remove = (action: 'remove' | 'remove_all') => (rule: string) => {
    if (!isRule(rule)) return
    rememberRule(rule)
    const words = action === 'remove' ? '削除しました。' : '同じ人の書き込みをまとめて削除しました。'
    decide((note) => ({ action, rule, note }), words)
  }
  const toggleImage = () => {
    if (current === null || front?.post.imageUrl == null) return
    const next = new Set(seenImages)
    if (!next.delete(current)) next.add(current)
    setSeenImages(next)
  }
  const actions = {
    dismiss: () => decide((note) => ({ action: 'dismiss', note }), '却下しました。'),
    remove: () => setStrip('remove'),
    removeAll: () => setStrip('remove_all'),
    ban: () => setOpen('ban'),
    lock: () => decide((note) => ({ action: 'lock', note }), 'スレッドをロックしました。'),
    undo: desk.undo,
    help: () => setOpen('help'),
  }

  const cancel = () => setStrip(null)
  const ruleStrip = strip === 'remove' || strip === 'remove_all' ? remove(strip) : null
  const move = (by: 1 | -1) => () => {
    cancel()
    desk.step(by)
  }
  const ready = front !== undefined && !isGone
  useKeys({
    j: move(1),
    ArrowRight: move(1),
    k: move(-1),
    ArrowLeft: move(-1),
    u: desk.undo,
    '?': actions.help,
    ...(front !== undefined && {
      n: () => noteField.current?.focus(),
      v: toggleImage,
      o: () => void window.open(postHref(front), '_blank', 'noopener'),
    }),
    ...(ready && {
      d: actions.dismiss,
      r: actions.remove,
      a: actions.removeAll,
      b: actions.ban,
      l: actions.lock,
      m: askMute,
    }),
    ...(ruleStrip !== null &&
      stripKeys({ choices: RULE_CHOICES, usual: lastRule(), onChoose: ruleStrip, onCancel: cancel })),
    ...(strip === 'mute' && stripKeys({ choices: muting.choices, onChoose: chooseReporter, onCancel: cancel })),
  })

  if (query.data === undefined && state.items.length === 0)
    return <Missing error={query.error} onRetry={() => void query.refetch()} />
  const key = front === undefined ? '' : keyOfCase(front)
  const problem = state.problems.get(key)
  const at = state.items.findIndex((one) => one === front)
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
            key={key}
            ref={view}
            one={front}
            imageShown={seenImages.has(key)}
            onImage={toggleImage}
            onMute={mute}
            foot={
              <div className={styles['note']}>
                <CaseNote
                  ref={noteField}
                  note={noteOf(front)}
                  onType={(note) => setNotes((before) => new Map(before).set(key, note))}
                  onDone={() => {
                    noteCase(front, noteOf(front).trim()).then(
                      () => desk.tell('メモを残しました。'),
                      (error: unknown) => desk.tell(wordsOf(error), 'error'),
                    )
                    view.current?.focus({ preventScroll: true })
                  }}
                />
              </div>
            }
          >
            {isGone && <Notice tone="info">この通報には、ほかの人が対応しました。</Notice>}
            {problem !== undefined && <Notice tone="error">{problem}</Notice>}
          </CaseView>
        </>
      )}
      <CaseActions
        actions={actions}
        ready={ready}
        canUndo={desk.canUndo}
        place={front === undefined ? null : { at, count }}
        onStep={(by) => move(by)()}
      >
        {ruleStrip !== null && (
          <ChoiceStrip
            title={strip === 'remove' ? '削除の理由' : '同じ人の書き込みをまとめて削除する理由'}
            choices={RULE_CHOICES}
            usual={lastRule()}
            onChoose={ruleStrip}
            onCancel={cancel}
          />
        )}
        {strip === 'mute' && (
          <ChoiceStrip title="通報を数えない人" choices={muting.choices} onChoose={chooseReporter} onCancel={cancel} />
        )}
      </CaseActions>
      {front !== undefined && (
        <BanWriter
          one={front}
          open={open === 'ban'}
          onClose={() => setOpen(null)}
          onBan={(ban, rule) => {
            setOpen(null)
            decide((note) => ({ action: 'ban', rule, note, ban }), '削除し、書き込んだ人を制限しました。')
          }}
        />
      )}
      <KeyHelp open={open === 'help'} onClose={() => setOpen(null)} keys={KEYS} />
    </div>
  )
}

/** Before the first reports have come. */
function Missing({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (error !== null) return <Failed error={error} onRetry={onRetry} />
  return (
    <div className={styles['waiting']}>
      <Spinner label="読み込んでいます" />
    </div>
  )
}

type BanWriterProps = { one: ModerationCase } & Pick<ComponentProps<typeof BanDialog>, 'open' | 'onClose' | 'onBan'>

/** Keeps the writer of a reported post from writing. */
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
