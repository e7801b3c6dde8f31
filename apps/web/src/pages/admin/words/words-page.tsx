import { inFigures } from '@shinobi/contract/in-figures'
import { WORD_ACTIONS } from '@shinobi/contract/rules'
import type { WordRule } from '@shinobi/contract/words'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { deleteWord, useAdminId, useReload, wordsQuery } from '../../../features/admin/api.ts'
import { ConfirmDialog } from '../../../features/admin/confirm-dialog.tsx'
import { ListedTable } from '../../../features/admin/listed-table.tsx'
import { useResults } from '../../../features/admin/results.tsx'
import { Screen } from '../../../features/admin/screen.tsx'
import toolbar from '../../../features/admin/toolbar.module.css'
import { useLast } from '../../../features/admin/use-last.ts'
import { DateTime } from '../../../lib/date-time.tsx'
import { useImeSafeEnter } from '../../../lib/use-ime-safe-enter.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { PlusIcon, SearchIcon } from '../../../ui/icons.tsx'
import type { Column } from '../../../ui/table.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { WordDialog } from './word-dialog.tsx'

interface ColumnContext {
  onEdit: (rule: WordRule) => void
  onDelete: (rule: WordRule) => void
}

const columnsOf = ({ onEdit, onDelete }: ColumnContext): Column<WordRule>[] => [
  { label: '言葉', kind: 'head', cell: ({ word }) => word },
  { label: '動作', kind: 'short', cell: ({ action }) => WORD_ACTIONS[action] },
  { label: '例外の言葉', cell: ({ allow }) => (allow.length === 0 ? null : allow.join('、')) },
  { label: 'メモ', cell: ({ note }) => note || null },
  { label: '追加', kind: 'short', cell: ({ createdAt }) => <DateTime value={createdAt} /> },
  {
    label: '操作',
    kind: 'actions',
    cell: (rule) => (
      <>
        <Button size="sm" aria-label={`「${rule.word}」を編集`} onClick={() => onEdit(rule)}>
          編集
        </Button>
        <Button size="sm" variant="danger" aria-label={`「${rule.word}」を削除`} onClick={() => onDelete(rule)}>
          削除
        </Button>
      </>
    ),
  },
]

export function WordsPage() {
  const [parameters] = useSearchParams()
  const q = parameters.get('q') ?? ''
  const words = useInfiniteQuery(wordsQuery(useAdminId(), q))
  const reload = useReload('words')
  const { say, region } = useResults(reload)
  const [editing, setEditing] = useState<WordRule | 'new' | null>(null)
  const [importing, setImporting] = useState(false)
  const [deleting, setDeleting] = useState<WordRule | null>(null)
  const subject = useLast(deleting)
  const done = (text: string) => {
    setEditing(null)
    setImporting(false)
    setDeleting(null)
    say(text)
    void reload()
  }

  const columns = columnsOf({ onEdit: setEditing, onDelete: setDeleting })
  return (
    <Screen
      title="禁止語"
      lead="全角と半角、ひらがなとカタカナ、間の空白や記号、似た文字の違いは無視して見つけます。"
      actions={
        <>
          <Button onClick={() => setImporting(true)}>まとめて追加</Button>
          <Button variant="primary" icon={<PlusIcon size={18} />} onClick={() => setEditing('new')}>
            言葉を追加
          </Button>
        </>
      }
    >
      <div className={toolbar['toolbar']}>
        <Search key={q} q={q} />
        {words.data && <p className={toolbar['total']}>全{inFigures(words.data.pages[0]?.total ?? 0)}件</p>}
      </div>
      <ListedTable
        query={words}
        rowsOf={(page) => page.words}
        empty={q === '' ? '禁止語はまだありません。' : '見つかりませんでした。'}
        caption="禁止語"
        columns={columns}
      />
      <WordDialog rule={editing} onClose={() => setEditing(null)} onSaved={done} />
      <ImportDialog open={importing} onClose={() => setImporting(false)} onImported={done} onPartly={reload} />
      <ConfirmDialog
        open={deleting !== null}
        title="禁止語を削除"
        label="削除する"
        variant="danger"
        onClose={() => setDeleting(null)}
        onConfirm={async () => {
          await deleteWord(deleting!._id)
          done(`「${deleting!.word}」を削除しました。`)
        }}
      >
        <p>「{subject?.word}」を削除しますか？すぐに書き込めるようになります。</p>
      </ConfirmDialog>
      {region}
    </Screen>
  )
}

function Search({ q }: { q: string }) {
  const [, setParameters] = useSearchParams()
  const search = (form: HTMLFormElement | null) => {
    const typed = form === null ? '' : new FormData(form).get('q')
    const text = typeof typed === 'string' ? typed.trim() : ''
    setParameters(text === '' ? {} : { q: text })
  }
  const enter = useImeSafeEnter({})
  return (
    <form
      role="search"
      className={toolbar['search']}
      onSubmit={(event) => {
        event.preventDefault()
        search(event.currentTarget)
      }}
    >
      <TextInput
        {...enter}
        type="search"
        name="q"
        defaultValue={q}
        maxLength={100}
        aria-label="禁止語を検索"
        placeholder="言葉の一部"
      />
      <IconButton type="submit" label="検索">
        <SearchIcon />
      </IconButton>
    </form>
  )
}
