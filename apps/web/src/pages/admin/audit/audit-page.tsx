import { labelAction } from '@shinobi/contract/audit-labels'
import { categoryLabel } from '@shinobi/contract/category-labels'
import type { AuditEntry } from '@shinobi/contract/moderation'
import { RULES } from '@shinobi/contract/rules'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../app/paths.ts'
import { auditQuery, categoriesQuery, undoAction, useAdminId, useReload } from '../../../features/admin/api.ts'
import { ConfirmDialog } from '../../../features/admin/confirm-dialog.tsx'
import { ListedTable } from '../../../features/admin/listed-table.tsx'
import { useResults } from '../../../features/admin/results.tsx'
import { Screen } from '../../../features/admin/screen.tsx'
import { useLast } from '../../../features/admin/use-last.ts'
import { useNow } from '../../../lib/clock.tsx'
import { DateTime } from '../../../lib/date-time.tsx'
import { Button } from '../../../ui/button.tsx'
import { RetryIcon } from '../../../ui/icons.tsx'
import { Seal } from '../../../ui/seal.tsx'
import type { Column } from '../../../ui/table.tsx'
import styles from './audit-page.module.css'
import { describeDetails } from './describe-details.ts'

interface ColumnContext {
  onUndo: (entry: AuditEntry) => void
}

const columnsOf = ({ onUndo }: ColumnContext): Column<AuditEntry>[] => [
  {
    label: '操作',
    kind: 'head',
    cell: ({ action, undone }) => (
      <>
        {labelAction(action)} {undone && <Seal tone="gold">取消済</Seal>}
      </>
    ),
  },
  { label: '日時', kind: 'short', cell: ({ at }) => <DateTime value={at} /> },
  { label: '実施', kind: 'short', cell: ({ actor }) => actor ?? <i className={styles['board']}>板（自動）</i> },
  { label: '対象', cell: (entry) => <Target entry={entry} /> },
  { label: '理由', cell: (entry) => <Why entry={entry} /> },
  { label: '変更', kind: 'wide', cell: (entry) => <Changes entry={entry} /> },
  {
    label: '取り消し',
    kind: 'actions',
    cell: (entry) =>
      entry.undoable && (
        <Button size="sm" aria-label={`「${labelAction(entry.action)}」を取り消す`} onClick={() => onUndo(entry)}>
          取り消す
        </Button>
      ),
  },
]

export function AuditPage() {
  const log = useInfiniteQuery(auditQuery(useAdminId()))
  const reload = useReload('audit')
  const { say, region } = useResults(reload)
  const [undoing, setUndoing] = useState<AuditEntry | null>(null)
  const subject = useLast(undoing)

  const columns = columnsOf({ onUndo: setUndoing })
  return (
    <Screen
      title="操作の記録"
      lead={
        <>
          誰が、何を、なぜしたか。書き足されるだけで、消したり直したりはできません。「変更」の欄だけは、保存期間を過ぎると空になります。名前を除いたものを
          <Link to="/moderation-log">御触書</Link>で公開しています。
        </>
      }
      actions={
        <Button
          size="sm"
          icon={<RetryIcon size={16} />}
          busy={log.isFetching && !log.isPending}
          onClick={() => void log.refetch()}
        >
          再読み込み
        </Button>
      }
    >
      <ListedTable
        query={log}
        rowsOf={(page) => page.entries}
        empty="まだ何も記録されていません。"
        caption="操作の記録"
        columns={columns}
      />
      <ConfirmDialog
        open={undoing !== null}
        title="操作の取り消し"
        label="取り消す"
        onClose={() => setUndoing(null)}
        onConfirm={async () => {
          await undoAction(undoing!._id)
          setUndoing(null)
          say(`「${labelAction(undoing!.action)}」を取り消しました。`)
          await reload()
        }}
      >
        <p>「{subject && labelAction(subject.action)}」を取り消し、元に戻しますか？</p>
      </ConfirmDialog>
      {region}
    </Screen>
  )
}

function Target({ entry: { category, threadId, number, subject } }: { entry: AuditEntry }) {
  const thread = threadId !== null && (
    <Link to={number === null ? paths.thread(threadId) : `${paths.thread(threadId)}#${number}`}>
      {number === null ? 'スレッド' : `${number}番`}
    </Link>
  )
  if (!thread && category === null && subject === null) return null
  return (
    <span className={styles['target']}>
      {subject !== null && <b>{subject}</b>}
      {category !== null && <span>{categoryLabel(category)}</span>}
      {thread}
    </span>
  )
}

function Why({ entry: { rule, reason } }: { entry: AuditEntry }) {
  if (rule === null && (reason ?? '') === '') return null
  return (
    <span className={styles['target']}>
      {rule !== null && <span>{RULES[rule]}</span>}
      {reason !== null && reason !== '' && <span>「{reason}」</span>}
    </span>
  )
}

function Changes({ entry }: { entry: AuditEntry }) {
  const now = useNow()
  const categories = useQuery(categoriesQuery(useAdminId())).data ?? []
  const names = new Map(categories.map(({ _id, name }) => [_id, categoryLabel(name)]))
  const details = describeDetails(entry.details, { now, names })
  if (details.length === 0) return null
  return (
    <ul className={styles['changes']}>
      {details.map(({ label, before, after }) => (
        <li key={label}>
          <span className={styles['label']}>{label}</span> {before !== null && <del>{before}</del>}
          {before !== null && <span aria-hidden="true"> → </span>}
          <ins>{after ?? 'なし'}</ins>
        </li>
      ))}
    </ul>
  )
}
