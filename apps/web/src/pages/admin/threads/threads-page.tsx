import type { AdminThread, ThreadState } from '@shinobi/contract/admin'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { inFigures } from '@shinobi/contract/in-figures'
import { messages } from '@shinobi/contract/messages'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../app/paths.ts'
import {
  categoriesQuery,
  removeThread,
  restoreThread,
  threadsQuery,
  useAdminId,
  useReload,
} from '../../../features/admin/api.ts'
import { FilterBar } from '../../../features/admin/filter-bar.tsx'
import { FoundList } from '../../../features/admin/found-list.tsx'
import { RemoveDialog } from '../../../features/admin/remove-dialog.tsx'
import { useResults } from '../../../features/admin/results.tsx'
import { Loaded, Screen } from '../../../features/admin/screen.tsx'
import { useAct } from '../../../features/admin/use-act.ts'
import { useFilters } from '../../../features/admin/use-filters.ts'
import { useLast } from '../../../features/admin/use-last.ts'
import { usePage } from '../../../features/admin/use-page.ts'
import { DateTime } from '../../../lib/date-time.tsx'
import { NAMELESS } from '@shinobi/contract/nameless'
import { Button } from '../../../ui/button.tsx'
import { RetryIcon, TrashIcon } from '../../../ui/icons.tsx'
import { Seal } from '../../../ui/seal.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { ThreadDialog } from './thread-dialog.tsx'

interface ColumnContext {
  onChange: (thread: AdminThread) => void
  onRemove: (thread: AdminThread) => void
  onRestore: (thread: AdminThread) => void
  /** The id of the thread that is being restored. */
  restoring: string | null
}

const columnsOf = ({ onChange, onRemove, onRestore, restoring }: ColumnContext): Column<AdminThread>[] => [
  { label: 'タイトル', kind: 'head', cell: (thread) => <Title thread={thread} /> },
  { label: 'カテゴリ', kind: 'short', cell: ({ categoryId, category }) => categoryLabel(categoryId?.name ?? category) },
  { label: '立てた人', cell: ({ createdBy, nickname }) => createdBy?.name ?? nickname ?? NAMELESS },
  { label: '書き込み', kind: 'figure', cell: ({ postCount }) => inFigures(postCount) },
  { label: '作成', kind: 'short', cell: ({ createdAt }) => <DateTime value={createdAt} /> },
  {
    label: '操作',
    kind: 'actions',
    cell: (thread) =>
      thread.removed ? (
        <Button
          size="sm"
          busy={restoring === thread._id}
          aria-label={`「${thread.title}」を復元`}
          onClick={() => onRestore(thread)}
        >
          復元
        </Button>
      ) : (
        <>
          <Button
            size="sm"
            aria-label={`「${thread.title}」を変更（ロック・固定・移動）`}
            onClick={() => onChange(thread)}
          >
            変更
          </Button>
          <Button
            size="sm"
            variant="danger"
            icon={<TrashIcon size={16} />}
            aria-label={`「${thread.title}」を削除`}
            onClick={() => onRemove(thread)}
          >
            削除
          </Button>
        </>
      ),
  },
]

export function ThreadsPage() {
  const { page } = usePage()
  const { filters } = useFilters()
  const adminId = useAdminId()
  const threads = useQuery(threadsQuery(adminId, page, filters))
  const categories = useQuery(categoriesQuery(adminId)).data
  const reload = useReload('threads')
  const results = useResults(reload)
  const { say, region } = results
  const { busy: restoring, act } = useAct({ results, onChanged: reload })
  const [changing, setChanging] = useState<AdminThread | null>(null)
  const [removing, setRemoving] = useState<AdminThread | null>(null)
  const subject = useLast(removing)

  const restore = ({ _id, title }: AdminThread) =>
    void act(_id, () => restoreThread(_id), `「${shorten(title)}」を復元しました。`)
  const columns = columnsOf({
    onChange: setChanging,
    onRemove: setRemoving,
    onRestore: restore,
    restoring,
  })
  return (
    <Screen
      title="スレッド"
      actions={
        <Button
          size="sm"
          icon={<RetryIcon size={16} />}
          busy={threads.isFetching && !threads.isPending}
          onClick={() => void threads.refetch()}
        >
          再読み込み
        </Button>
      }
    >
      <FilterBar
        list="threads"
        words="タイトルと本文の言葉"
        period="立てた日"
        writer
        categories={categories ?? []}
        states={STATES}
      />
      <Loaded query={threads}>
        {({ threads: rows, pagination }) => (
          <FoundList label="スレッド" pagination={pagination} stale={threads.isPlaceholderData}>
            <Table
              caption="スレッド"
              columns={columns}
              rows={rows}
              keyOf={({ _id }) => _id}
              stale={threads.isPlaceholderData}
            />
          </FoundList>
        )}
      </Loaded>
      <ThreadDialog
        thread={changing}
        onClose={() => setChanging(null)}
        onDone={(text, actionId) => {
          setChanging(null)
          say(text, actionId)
          void reload()
        }}
      />
      <RemoveDialog
        open={removing !== null}
        title="スレッドを削除"
        question={messages.confirm_delete_thread}
        subject={subject?.title}
        onClose={() => setRemoving(null)}
        onRemove={async (rule, reason) => {
          const { actionId } = await removeThread(removing!._id, rule, reason)
          setRemoving(null)
          say(`「${shorten(removing!.title)}」を削除しました。`, actionId)
          await reload()
        }}
      />
      {region}
    </Screen>
  )
}

const STATES: { value: ThreadState; label: string }[] = [
  { value: 'locked', label: 'ロック中' },
  { value: 'pinned', label: '固定中' },
  { value: 'removed', label: '削除済み' },
]

const shorten = (text: string): string => (text.length > 24 ? `${[...text].slice(0, 22).join('')}…` : text)

const Title = ({ thread: { _id, title, locked, pinned, removed } }: { thread: AdminThread }) => (
  <>
    {removed ? title : <Link to={paths.thread(_id)}>{title}</Link>}
    {removed && (
      <>
        {' '}
        <Seal>削除</Seal>
      </>
    )}
    {pinned !== null && (
      <>
        {' '}
        <Seal tone="teal">固定</Seal>
      </>
    )}
    {locked && (
      <>
        {' '}
        <Seal tone="gold">ロック</Seal>
      </>
    )}
  </>
)
