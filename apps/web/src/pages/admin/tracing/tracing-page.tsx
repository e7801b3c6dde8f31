import { inFigures } from '@shinobi/contract/in-figures'
import type { TraceOrder } from '@shinobi/contract/moderation'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../app/paths.ts'
import { endTracing, tracingQuery, useAdminId, useReload } from '../../../features/admin/api.ts'
import { ConfirmDialog } from '../../../features/admin/confirm-dialog.tsx'
import { useResults } from '../../../features/admin/results.tsx'
import { Loaded, Screen } from '../../../features/admin/screen.tsx'
import { useLast } from '../../../features/admin/use-last.ts'
import { DateTime } from '../../../lib/date-time.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { ReadDialog } from './read-dialog.tsx'

interface ColumnContext {
  onRead: (order: TraceOrder) => void
  onEnd: (order: TraceOrder) => void
}

const columnsOf = ({ onRead, onEnd }: ColumnContext): Column<TraceOrder>[] => [
  {
    label: 'スレッド',
    kind: 'head',
    cell: ({ threadId, title }) => <Link to={paths.thread(threadId)}>{title}</Link>,
  },
  { label: '理由', kind: 'wide', cell: ({ reason }) => reason },
  { label: '開始した人', kind: 'short', cell: ({ createdBy }) => createdBy ?? null },
  { label: '開始', kind: 'short', cell: ({ createdAt }) => <DateTime value={createdAt} /> },
  { label: '期限', kind: 'short', cell: ({ endsAt }) => <DateTime value={endsAt} /> },
  { label: '記録', kind: 'figure', cell: ({ traces }) => `${inFigures(traces)}件` },
  {
    label: '操作',
    kind: 'actions',
    cell: (order) => (
      <>
        <Button size="sm" aria-label={`「${order.title}」の記録を読む`} onClick={() => onRead(order)}>
          読む
        </Button>
        <Button
          size="sm"
          variant="danger"
          aria-label={`「${order.title}」の一時記録を終える`}
          onClick={() => onEnd(order)}
        >
          終える
        </Button>
      </>
    ),
  },
]

export function TracingPage() {
  const orders = useQuery(tracingQuery(useAdminId()))
  const reload = useReload('tracing')
  const { say, region } = useResults(reload)
  const [reading, setReading] = useState<TraceOrder | null>(null)
  const [ending, setEnding] = useState<TraceOrder | null>(null)
  const subject = useLast(ending)

  const columns = columnsOf({ onRead: setReading, onEnd: setEnding })
  return (
    <Screen
      title="一時記録"
      lead="違法または不適切な利用が疑われるスレッドで、理由と期限を決めて、書き込む人のIPアドレスとブラウザを暗号にして記録します。期限が来ると消え、読むたびに操作の記録に残ります（利用規約 第三条）。"
    >
      <Loaded query={orders}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="記録中のスレッドはありません。">
              <ButtonLink to={paths.admin('threads')}>スレッドの一覧から始める</ButtonLink>
            </EmptyState>
          ) : (
            <Table caption="一時記録" columns={columns} rows={rows} keyOf={({ _id }) => _id} />
          )
        }
      </Loaded>
      <ReadDialog order={reading} onClose={() => setReading(null)} />
      <ConfirmDialog
        open={ending !== null}
        title="一時記録を終える"
        label="終えて消す"
        variant="danger"
        onClose={() => setEnding(null)}
        onConfirm={async () => {
          await endTracing(ending!.threadId)
          setEnding(null)
          say('一時記録を終え、記録を消しました。')
          await reload()
        }}
      >
        <p>「{subject?.title}」の一時記録を終えますか？記録した内容はすぐに消え、元に戻せません。</p>
      </ConfirmDialog>
      {region}
    </Screen>
  )
}
