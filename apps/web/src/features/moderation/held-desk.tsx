import { categoryLabel } from '@shinobi/contract/category-labels'
import type { HeldItem } from '@shinobi/contract/moderation'
import { NAMELESS } from '@shinobi/contract/nameless'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '../../app/paths.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { useKeys } from '../../lib/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { NewTabLink } from '../../ui/new-tab-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Seal, Tag } from '../../ui/seal.tsx'
import { useMember } from '../accounts/use-session.ts'
import { decideHeld, heldQuery } from './api.ts'
import { ChoiceStrip, stripKeys } from './choice-strip.tsx'
import { CoveredImage } from './covered-image.tsx'
import { DeskNewsLine } from './desk-news.tsx'
import { DeskPlace } from './desk-place.tsx'
import { DeskWaiting } from './desk-waiting.tsx'
import styles from './desk.module.css'
import held from './held-desk.module.css'
import { KeyHelp, type KeyEntry } from '../../ui/key-help.tsx'
import { isRule, lastRule, rememberRule, RULE_CHOICES } from './rules.ts'
import { useQueueDesk } from './use-queue-desk.ts'

const KEYS: readonly KeyEntry[] = [
  ['j・→', '次へ'],
  ['k・←', '前へ'],
  ['y', '公開する'],
  ['r', '却下。続けて1〜4で理由、Enterで前と同じ理由'],
  ['v', '画像を見る、覆う'],
  ['?', 'この一覧'],
]

const keyOf = ({ _id }: HeldItem): string => _id
const WHY: Readonly<Record<HeldItem['why'], string>> = {
  shield: '結界',
  word: '禁止語',
  image: '初めての方の画像',
  similar: '似た書き込み',
  ban: '制限中の人',
  silence: 'スレ主が停止したID',
}

/** Held posts and threads, oldest first; approved ones appear on the board at once. */
export function HeldDesk() {
  const query = useQuery(heldQuery(useMember()?._id ?? ''))
  const { view, front, ready, strip, setStrip, ...desk } = useQueueDesk<HeldItem, 'reject'>(
    query,
    query.data?.held,
    keyOf,
  )
  const [help, setHelp] = useState(false)

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
    setStrip(null)
    desk.decide(front, '却下しました。', async () => {
      await decideHeld(front._id, { action: 'reject', rule })
      return null
    })
  }
  const ask = () => setStrip('reject')
  const choosing = strip && {
    title: '却下の理由',
    choices: RULE_CHOICES,
    usual: lastRule(),
    onChoose: reject,
    onCancel: () => setStrip(null),
  }
  useKeys({
    ...desk.keys,
    '?': () => setHelp(true),
    ...(ready && { y: approve, r: ask }),
    ...stripKeys(choosing),
  })

  if (query.data === undefined && desk.count === 0) return <DeskWaiting query={query} />
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
                <NewTabLink href={paths.thread(front.thread._id)}>{front.thread.title}</NewTabLink>
              )}
            </h2>
            <p className={styles['facts']}>
              <span>{categoryLabel(front.category)}</span>
              <Seal tone={front.why === 'shield' ? 'teal' : 'vermilion'}>{WHY[front.why]}</Seal>
              {front.detail !== null && <Tag>「{front.detail}」</Tag>}
              <b>{front.name ?? NAMELESS}</b>
              {front.staff === true ? <Seal>運営</Seal> : front.isMember && <span>会員</span>}
              <DateTime value={front.createdAt} />
            </p>
          </header>
          {desk.isGone && <Notice tone="info">ほかの人が対応したか、自動で公開されました。</Notice>}
          {desk.problem !== undefined && <Notice tone="error">{desk.problem}</Notice>}
          <p className={held['text']}>{front.content}</p>
          <CoveredImage image={front} shown={desk.imageShown} onToggle={desk.toggleImage} />
        </article>
      )}
      {front !== undefined && (
        <div className={styles['foot']}>
          {choosing !== null && <ChoiceStrip {...choosing} />}
          <div className={styles['bar']}>
            <div className={held['decisions']} role="group" aria-label="対応">
              <Button size="sm" variant="primary" disabled={!ready} onClick={approve}>
                公開 <KeyHint>Y</KeyHint>
              </Button>
              <Button size="sm" variant="danger" disabled={!ready} onClick={ask}>
                却下 <KeyHint>R</KeyHint>
              </Button>
            </div>
            <div className={styles['moves']}>
              <DeskPlace at={desk.at} count={desk.count} noun="書き込み" onStep={desk.move} />
            </div>
          </div>
        </div>
      )}
      <KeyHelp open={help} onClose={() => setHelp(false)} keys={KEYS} />
    </div>
  )
}

const labelOf = ({ thread, title }: HeldItem): string => thread?.title ?? title ?? '新しいスレッド'
