import type { Ban } from '@shinobi/contract/bans'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { bansQuery, liftBan, useAdminId, useReload } from '../../../features/admin/api.ts'
import { BAN_KINDS, BanEnd, BanScope } from '../../../features/moderation/ban-words.tsx'
import { ConfirmDialog } from '../../../features/admin/confirm-dialog.tsx'
import { ListedTable } from '../../../features/admin/listed-table.tsx'
import { useResults } from '../../../features/admin/results.tsx'
import { Screen } from '../../../features/admin/screen.tsx'
import { Segments } from '../../../features/admin/segments.tsx'
import { useLast } from '../../../features/admin/use-last.ts'
import { useNow } from '../../../lib/clock.tsx'
import { DateTime } from '../../../lib/date-time.tsx'
import { Button } from '../../../ui/button.tsx'
import { Seal } from '../../../ui/seal.tsx'
import type { Column } from '../../../ui/table.tsx'

interface ColumnContext {
  onLift: (ban: Ban) => void
  now: Date
}

const columnsOf = ({ onLift, now }: ColumnContext): Column<Ban>[] => [
  {
    label: '相手',
    kind: 'head',
    cell: ({ kind, label }) => (
      <>
        <Seal tone="gold">{BAN_KINDS[kind]}</Seal> {label}
      </>
    ),
  },
  { label: '範囲', cell: (ban) => <BanScope ban={ban} /> },
  { label: '理由', cell: ({ reason }) => reason },
  { label: 'メモ', cell: ({ note }) => note || null },
  { label: '開始', kind: 'short', cell: ({ createdAt }) => <DateTime value={createdAt} /> },
  { label: '終了', cell: (ban) => <BanEnd ban={ban} /> },
  { label: '実施', kind: 'short', cell: ({ createdBy }) => createdBy ?? null },
  {
    label: '操作',
    kind: 'actions',
    cell: (ban) =>
      isStanding(ban, now) && (
        <Button size="sm" aria-label={`${ban.label}の制限を解除`} onClick={() => onLift(ban)}>
          解除
        </Button>
      ),
  },
]

const SHOWN = [
  { value: 'standing', label: '有効なもの' },
  { value: 'all', label: 'すべて' },
] as const

export function BansPage() {
  const [parameters] = useSearchParams()
  const standing = parameters.get('all') === null
  const bans = useInfiniteQuery(bansQuery(useAdminId(), standing))
  const reload = useReload('bans')
  const { say, region } = useResults(reload)
  const [lifting, setLifting] = useState<Ban | null>(null)
  const subject = useLast(lifting)
  const now = useNow()

  const columns = columnsOf({ onLift: setLifting, now })
  return (
    <Screen
      title="書き込みの制限"
      lead="制限された人も、読むことはできます。制限をかけるには、通報や書き込みの一覧から相手の書き込みを選びます。"
    >
      <Segments
        label="表示する制限"
        options={SHOWN}
        value={standing ? 'standing' : 'all'}
        addressOf={(show) => (show === 'all' ? '?all' : '?')}
      />
      <ListedTable
        query={bans}
        rowsOf={(page) => page.bans}
        empty={standing ? '有効な制限はありません。' : '制限はありません。'}
        caption="書き込みの制限"
        columns={columns}
      />
      <ConfirmDialog
        open={lifting !== null}
        title="制限を解除"
        label="解除する"
        onClose={() => setLifting(null)}
        onConfirm={async () => {
          await liftBan(lifting!._id)
          setLifting(null)
          say(`${lifting!.label}の制限を解除しました。`)
          await reload()
        }}
      >
        <p>
          <b>{subject?.label}</b>（{subject && BAN_KINDS[subject.kind]}）の制限を解除しますか？
        </p>
      </ConfirmDialog>
      {region}
    </Screen>
  )
}

const isStanding = ({ liftedAt, expiresAt }: Ban, now: Date): boolean =>
  liftedAt === null && (expiresAt === null || new Date(expiresAt) > now)
