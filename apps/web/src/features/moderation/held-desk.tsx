import { categoryLabel } from '@shinobi/contract/category-labels'
import type { HeldItem } from '@shinobi/contract/moderation'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { paths } from '../../app/paths.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { NAMELESS } from '@shinobi/contract/nameless'
import { onQueueChanged } from '../../lib/queue-line.ts'
import { useMember } from '../../lib/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Seal, Tag } from '../../ui/seal.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { decideHeld, heldQuery } from './api.ts'
import { ChoiceStrip, stripKeys } from './choice-strip.tsx'
import { CoveredImage } from './covered-image.tsx'
import { DeskPlace } from './desk-place.tsx'
import { DeskNewsLine } from './desk-news.tsx'
import styles from './desk.module.css'
import held from './held-desk.module.css'
import { KeyHelp, type KeyEntry } from './key-help.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { isRule, lastRule, rememberRule, RULE_CHOICES } from './rules.ts'
import { useDesk } from './use-desk.ts'
import { useKeys } from '../../lib/use-keys.ts'

const KEYS: readonly KeyEntry[] = [
  ['j・→', '次へ'],
  ['k・←', '前へ'],
  ['y', '公開する'],
  ['r', '却下。続けて1〜4で理由、Enterで前と同じ理由'],
  ['v', '画像を見る、覆う'],
  ['?', 'この一覧'],
]

const keyOf = ({ _id }: HeldItem): string => _id
const REFILL_BELOW = 10
const WHY: Readonly<Record<HeldItem['why'], string>> = { shield: '結界', word: '禁止語', ban: '制限中の人' }

/** Posts and threads that wait, oldest first: what is let through here appears on the board at once. */
export function HeldDesk() {
  const client = useQueryClient()
  const userId = useMember()?._id ?? ''
  const query = useQuery(heldQuery(userId))
  const reread = useCallback(
    () => void client.invalidateQueries({ queryKey: heldQuery(userId).queryKey }),
    [client, userId],
  )
  useEffect(() => onQueueChanged(reread), [reread])
  const desk = useDesk(query.data?.held, keyOf, reread)
  const { front, state } = desk
  const [asking, setAsking] = useState(false)
  const [help, setHelp] = useState(false)
  const [seenImages, setSeenImages] = useState<ReadonlySet<string>>(new Set())
  const view = useRef<HTMLElement>(null)
  const isGone = state.gone !== null && state.gone === state.current
  const { current } = state
  const count = state.items.length

  const { data } = query
  useEffect(() => {
    if (count < REFILL_BELOW && data?.next != null) reread()
  }, [count, data, reread])
  useEffect(() => {
    setAsking(false)
    const elsewhere = document.activeElement?.closest('input, textarea, select, dialog') != null
    if (current !== null && !elsewhere) view.current?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }, [current])

  const approve = () => {
    if (front === undefined) return
    desk.decide(front, '公開しました。', async () => {
      await decideHeld(front._id, { action: 'approve' })
      return null
    })
  }
  const reject = (rule: string) => {
    if (front === undefined || !isRule(rule)) return
    rememberRule(rule)
    setAsking(false)
    desk.decide(front, '却下しました。', async () => {
      await decideHeld(front._id, { action: 'reject', rule })
      return null
    })
  }
  const toggleImage = () => {
    if (current === null || front?.imageUrl == null) return
    const next = new Set(seenImages)
    if (!next.delete(current)) next.add(current)
    setSeenImages(next)
  }
  const cancel = () => setAsking(false)
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
    v: toggleImage,
    '?': () => setHelp(true),
    ...(ready && { y: approve, r: () => setAsking(true) }),
    ...(asking && stripKeys({ choices: RULE_CHOICES, usual: lastRule(), onChoose: reject, onCancel: cancel })),
  })

  if (query.data === undefined && count === 0) {
    if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />
    return (
      <div className={styles['waiting']}>
        <Spinner label="読み込んでいます" />
      </div>
    )
  }
  const problem = front === undefined ? undefined : state.problems.get(front._id)
  const at = state.items.findIndex((item) => item === front)
  return (
    <div className={styles['desk']} data-empty="">
      <DeskNewsLine news={desk.news} />
      {front === undefined ? (
        <EmptyState title="確認待ちはありません。">
          <p className={styles['hint']}>結界や禁止語で止まった書き込みが来ると、ここに現れます。</p>
        </EmptyState>
      ) : (
        <article ref={view} className={held['item']} tabIndex={-1} aria-label={labelOf(front)}>
          <header>
            <h2 className={held['title']}>
              {front.thread === null ? (
                <>新しいスレッド「{front.title}」</>
              ) : (
                <a href={paths.thread(front.thread._id)} target="_blank" rel="noopener">
                  {front.thread.title}
                </a>
              )}
            </h2>
            <p className={styles['facts']}>
              <span>{categoryLabel(front.category)}</span>
              <Seal tone={front.why === 'shield' ? 'teal' : 'vermilion'}>{WHY[front.why]}</Seal>
              {front.detail !== null && <Tag>「{front.detail}」</Tag>}
              <b>{front.name ?? NAMELESS}</b>
              {front.isMember && <span>会員</span>}
              <DateTime value={front.createdAt} />
            </p>
          </header>
          {isGone && <Notice tone="info">ほかの人が対応したか、自動で公開されました。</Notice>}
          {problem !== undefined && <Notice tone="error">{problem}</Notice>}
          <p className={held['text']}>{front.content}</p>
          <CoveredImage image={front} shown={seenImages.has(front._id)} onToggle={toggleImage} />
        </article>
      )}
      {front !== undefined && (
        <div className={styles['foot']}>
          {asking && (
            <ChoiceStrip
              title="却下の理由"
              choices={RULE_CHOICES}
              usual={lastRule()}
              onChoose={reject}
              onCancel={cancel}
            />
          )}
          <div className={styles['bar']}>
            <div className={held['decisions']} role="group" aria-label="対応">
              <Button size="sm" variant="primary" disabled={!ready} onClick={approve}>
                公開 <KeyHint>Y</KeyHint>
              </Button>
              <Button size="sm" variant="danger" disabled={!ready} onClick={() => setAsking(true)}>
                却下 <KeyHint>R</KeyHint>
              </Button>
            </div>
            <div className={styles['moves']}>
              <DeskPlace at={at} count={count} noun="書き込み" onStep={(by) => move(by)()} />
            </div>
          </div>
        </div>
      )}
      <KeyHelp open={help} onClose={() => setHelp(false)} keys={KEYS} />
    </div>
  )
}

const labelOf = ({ thread, title }: HeldItem): string => thread?.title ?? title ?? '新しいスレッド'
