import { messages } from '@shinobi/contract/messages'
import { inFigures } from '@shinobi/contract/in-figures'
import { CATEGORY_DESCRIPTION, CATEGORY_NAME } from '@shinobi/contract/limits'
import type { AdminCategory } from '@shinobi/contract/categories'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { countGraphemes } from '@shinobi/contract/text'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../app/paths.ts'
import { ActionForm } from '../../../features/admin/action-form.tsx'
import {
  categoriesPageQuery,
  categoriesQuery,
  createCategory,
  useAdminId,
  useReload,
} from '../../../features/admin/api.ts'
import { POSTER_ID_LABELS } from '../../../features/admin/poster-id-labels.ts'
import { FoundList } from '../../../features/admin/found-list.tsx'
import { useResults } from '../../../features/admin/results.tsx'
import { Loaded, Screen } from '../../../features/admin/screen.tsx'
import { usePage } from '../../../features/admin/use-page.ts'
import { categoriesQuery as publicCategoriesQuery } from '../../../features/categories/api.ts'
import { Button } from '../../../ui/button.tsx'
import { LineField } from '../../../ui/line-field.tsx'
import { TrashIcon } from '../../../ui/icons.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import styles from './categories-page.module.css'
import { DeleteCategory } from './delete-category.tsx'
import { CategorySettings } from './category-settings.tsx'

interface ColumnContext {
  onDelete: (category: AdminCategory) => void
  onChange: (category: AdminCategory) => void
}

const columnsOf = ({ onDelete, onChange }: ColumnContext): Column<AdminCategory>[] => [
  { label: '名前', kind: 'head', cell: ({ name }) => <Link to={paths.category(name)}>{name}</Link> },
  { label: '表示', kind: 'short', cell: ({ name }) => categoryLabel(name) },
  { label: '説明', kind: 'wide', cell: ({ description }) => description || null },
  {
    label: '書き込みの上限',
    kind: 'short',
    cell: ({ postLimit }) => (postLimit === null ? '設定のとおり' : `${inFigures(postLimit)}件`),
  },
  { label: 'ID', kind: 'short', cell: ({ posterIds }) => POSTER_ID_LABELS[posterIds] },
  {
    label: '初めての方の画像',
    kind: 'short',
    cell: ({ holdImages }) => (holdImages ? '確認してから公開' : 'そのまま公開'),
  },
  {
    label: '操作',
    kind: 'actions',
    cell: (category) => (
      <>
        <Button size="sm" aria-label={`カテゴリ「${category.name}」の設定を変更`} onClick={() => onChange(category)}>
          設定
        </Button>
        <Button
          size="sm"
          variant="danger"
          icon={<TrashIcon size={16} />}
          aria-label={`カテゴリ「${category.name}」を削除`}
          onClick={() => onDelete(category)}
        >
          削除
        </Button>
      </>
    ),
  },
]

export function CategoriesPage() {
  const { page } = usePage()
  const adminId = useAdminId()
  const categories = useQuery(categoriesPageQuery(adminId, page))
  const all = useQuery(categoriesQuery(adminId)).data ?? []
  const client = useQueryClient()
  const reloadList = useReload('categories')
  const reload = async () => {
    // Other pages offer the categories, too.
    await Promise.all([reloadList(), client.invalidateQueries({ queryKey: publicCategoriesQuery().queryKey })])
  }
  const { say, region } = useResults(reload)
  const [deleting, setDeleting] = useState<AdminCategory | null>(null)

  const [changing, setChanging] = useState<AdminCategory | null>(null)

  const columns = columnsOf({ onDelete: setDeleting, onChange: setChanging })
  return (
    <Screen title="カテゴリ">
      <CreateCategory
        onCreated={(name) => {
          say(`カテゴリ「${name}」を作成しました。`)
          void reload()
        }}
      />
      <Loaded query={categories}>
        {({ categories: rows, pagination }) => (
          <FoundList label="カテゴリ" pagination={pagination} stale={categories.isPlaceholderData}>
            <Table
              caption="カテゴリ"
              columns={columns}
              rows={rows}
              keyOf={({ _id }) => _id}
              stale={categories.isPlaceholderData}
            />
          </FoundList>
        )}
      </Loaded>
      <DeleteCategory
        category={deleting}
        others={all}
        onClose={() => setDeleting(null)}
        onDeleted={(text) => {
          setDeleting(null)
          say(text)
        }}
        onChanged={reload}
      />
      <CategorySettings
        category={changing}
        onClose={() => setChanging(null)}
        onChanged={(text) => {
          setChanging(null)
          say(text)
          void reload()
        }}
      />
      {region}
    </Screen>
  )
}

function CreateCategory({ onCreated }: { onCreated: (name: string) => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const lengths = { name: countGraphemes(name.trim()), description: countGraphemes(description.trim()) }
  const tooLong = lengths.name > CATEGORY_NAME.max || lengths.description > CATEGORY_DESCRIPTION.max
  return (
    <section className={styles['create']} aria-labelledby="create-category">
      <h2 id="create-category" className={styles['heading']}>
        カテゴリを作成
      </h2>
      <ActionForm
        label="作成する"
        disabled={tooLong}
        onSubmit={async () => {
          // An empty name does nothing (docs/product.md#administration).
          if (name.trim() === '') return
          const created = await createCategory(name.trim(), description.trim())
          setName('')
          setDescription('')
          onCreated(created.name)
        }}
      >
        <div className={styles['fields']}>
          <LineField
            label="名前"
            hint="アドレスに使う短い名前。"
            counter={{ length: lengths.name, max: CATEGORY_NAME.max }}
            error={lengths.name > CATEGORY_NAME.max ? messages.category_name_too_long : null}
            value={name}
            onChange={setName}
          />
          <LineField
            label="説明（任意）"
            hint="カテゴリ一覧のボタンに表示されます。"
            counter={{ length: lengths.description, max: CATEGORY_DESCRIPTION.max }}
            error={lengths.description > CATEGORY_DESCRIPTION.max ? messages.category_description_too_long : null}
            value={description}
            onChange={setDescription}
          />
        </div>
      </ActionForm>
    </section>
  )
}
