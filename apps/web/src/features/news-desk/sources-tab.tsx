import { categoryLabel } from '@shinobi/contract/category-labels'
import { inFigures } from '@shinobi/contract/in-figures'
import type { ListedNewsSource, NewsSource } from '@shinobi/contract/news'
import { explainIdle, NEWS_PERMISSIONS, NEWS_PROBLEMS } from '@shinobi/contract/news-labels'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { categoriesQuery } from '../admin/api.ts'
import { ConfirmDialog } from '../admin/confirm-dialog.tsx'
import { Loaded } from '../admin/screen.tsx'
import toolbar from '../admin/toolbar.module.css'
import { useLast } from '../admin/use-last.ts'
import { useAct } from '../admin/use-act.ts'
import { deleteSource, exportSources, newsSourcesQuery, readSource, stopNews } from './api.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty.tsx'
import { AlertIcon, PlusIcon } from '../../ui/icons.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { whenNext } from './next-run.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { SourceDialog } from './source-dialog.tsx'
import styles from './sources-tab.module.css'
import type { TabProps } from './tab-props.ts'

/** @param reading the source whose immediate reading is being requested */
const columnsOf = (
  on: Readonly<Record<'read' | 'edit' | 'stop' | 'delete', (source: NewsSource) => void>>,
  reading: string | null,
): Column<ListedNewsSource>[] => [
  {
    label: '情報源',
    kind: 'head',
    cell: ({ name, url }) => (
      <>
        {name}
        <span className={styles['url']}>{url}</span>
      </>
    ),
  },
  { label: '状態', kind: 'wide', cell: (source) => <SourceState source={source} /> },
  { label: '許可', kind: 'short', cell: ({ permission }) => NEWS_PERMISSIONS[permission].label },
  {
    label: 'カテゴリ',
    kind: 'short',
    cell: ({ category }) => (category === null ? <b className={styles['bad']}>なし</b> : categoryLabel(category)),
  },
  { label: '立てたスレッド', kind: 'figure', cell: ({ threads }) => inFigures(threads) },
  {
    label: '操作',
    kind: 'actions',
    cell: (source) => (
      <>
        <Button
          size="sm"
          busy={reading === source._id}
          disabled={!source.active || source.permission === 'blocked'}
          aria-label={`「${source.name}」を今すぐ取得`}
          onClick={() => on.read(source)}
        >
          今すぐ取得
        </Button>
        <Button size="sm" aria-label={`「${source.name}」を編集`} onClick={() => on.edit(source)}>
          編集
        </Button>
        <Button size="sm" variant="ghost" aria-label={`「${source.name}」を止める`} onClick={() => on.stop(source)}>
          止める
        </Button>
        <Button size="sm" variant="ghost" aria-label={`「${source.name}」を削除`} onClick={() => on.delete(source)}>
          削除
        </Button>
      </>
    ),
  },
]

/** Whether and how often it is read, or why not, as text. */
function SourceState({ source }: { source: ListedNewsSource }) {
  const { active, permission, problem, failures, fetchedAt, intervalMinutes, idle } = source
  const stands = !active ? '止めています' : permission === 'blocked' ? '読みません' : null
  return (
    <>
      {stands !== null && <b className={cx(styles['state'], styles['stands'])}>{stands}</b>}
      {problem !== null && (
        <span className={cx(styles['state'], styles['bad'], styles['problem'])}>
          <AlertIcon size={16} />
          <span>
            {NEWS_PROBLEMS[problem]}
            {failures > 1 && `（続けて${inFigures(failures)}回）`}
          </span>
        </span>
      )}
      {stands === null && problem === null && (
        <span className={styles['state']}>{fetchedAt === null ? 'まだ読んでいません' : '読めています'}</span>
      )}
      {idle !== null && <span className={styles['idle']}>2日間スレッドなし：{explainIdle(idle)}</span>}
      <span className={styles['times']}>
        {fetchedAt !== null && (
          <>
            <DateTime value={fetchedAt} />・
          </>
        )}
        {describeInterval(intervalMinutes)}
      </span>
    </>
  )
}

/** Sources that need attention come first. */
const byNeed = (sources: readonly ListedNewsSource[]): ListedNewsSource[] =>
  sources.toSorted((a, b) => Number(b.problem !== null) - Number(a.problem !== null))

const describeInterval = (minutes: number): string =>
  minutes % 60 === 0 ? `${minutes / 60}時間ごと` : `${inFigures(minutes)}分ごと`

export function SourcesTab({ userId, status, results, onChanged }: TabProps) {
  const sources = useQuery(newsSourcesQuery(userId))
  const categories = useQuery(categoriesQuery(userId))
  const [editing, setEditing] = useState<NewsSource | 'new' | null>(null)
  const [importing, setImporting] = useState(false)
  const [stopping, setStopping] = useState<NewsSource | null>(null)
  const [deleting, setDeleting] = useState<NewsSource | null>(null)
  const toStop = useLast(stopping)
  const toDelete = useLast(deleting)
  const { busy: reading, act } = useAct({ results, onChanged })

  const done = async (words: string) => {
    setEditing(null)
    setImporting(false)
    setStopping(null)
    setDeleting(null)
    results.say(words)
    await onChanged()
  }
  const save = async () => {
    try {
      saveFile('shinobi-news.opml', 'text/x-opml', await exportSources())
    } catch (error) {
      results.fail(error)
    }
  }
  const read = ({ _id, name }: NewsSource) =>
    void act(_id, () => readSource(_id), `${whenNext(status)}「${name}」を読みます。`)
  const columns = columnsOf({ read, edit: setEditing, stop: setStopping, delete: setDeleting }, reading)
  // The forms need a category: without the list they cannot be filled in.
  const ready = categories.data !== undefined
  return (
    <>
      <div className={toolbar['toolbar']}>
        <Button
          variant="primary"
          size="sm"
          disabled={!ready}
          icon={<PlusIcon size={16} />}
          onClick={() => setEditing('new')}
        >
          情報源を追加
        </Button>
        <Button size="sm" disabled={!ready} onClick={() => setImporting(true)}>
          OPMLを読み込む
        </Button>
        <Button size="sm" disabled={!sources.data?.length} onClick={() => void save()}>
          OPMLに書き出す
        </Button>
        {sources.data && <p className={toolbar['total']}>全{inFigures(sources.data.length)}件</p>}
      </div>
      <Loaded query={sources}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="情報源はまだありません。">
              <p>新聞社や官公庁などのフィードを追加すると、記事がスレッドになります。</p>
            </EmptyState>
          ) : (
            <Table caption="情報源" columns={columns} rows={byNeed(rows)} keyOf={({ _id }) => _id} />
          )
        }
      </Loaded>
      {categories.data !== undefined && (
        <>
          <SourceDialog source={editing} categories={categories.data} onClose={() => setEditing(null)} onSaved={done} />
          <ImportDialog
            open={importing}
            categories={categories.data}
            onClose={() => setImporting(false)}
            onImported={done}
            onPartly={onChanged}
          />
        </>
      )}
      <ReasonDialog
        open={stopping !== null}
        title="情報源を止める"
        label="止める"
        withdrawHint="この情報源から立てたスレッドを、書き込みごと板から消します。"
        onClose={() => setStopping(null)}
        onConfirm={async (reason, withdraw) => {
          const withdrawn = await stopNews(stopping!._id, reason, withdraw)
          await done(
            `「${stopping!.name}」を止めました。${withdrawn > 0 ? `${inFigures(withdrawn)}件のスレッドを取り下げました。` : ''}`,
          )
        }}
      >
        <p>「{toStop?.name}」の読み込みを止めますか？登録は残り、あとで「編集」から再開できます。</p>
      </ReasonDialog>
      <ConfirmDialog
        open={deleting !== null}
        title="情報源を削除"
        label="削除する"
        variant="danger"
        onClose={() => setDeleting(null)}
        onConfirm={async () => {
          await deleteSource(deleting!._id)
          await done(`「${deleting!.name}」を削除しました。`)
        }}
      >
        <p>「{toDelete?.name}」を削除しますか？立てたスレッドは残ります。消すには、先に「止める」で取り下げます。</p>
      </ConfirmDialog>
    </>
  )
}
