import type { Category } from '@shinobi/contract/categories'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { CATEGORY_DESCRIPTION, CATEGORY_NAME } from '@shinobi/contract/limits'
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
import { FoundList } from '../../../features/admin/found-list.tsx'
import { useResults } from '../../../features/admin/results.tsx'
import { Loaded, Screen } from '../../../features/admin/screen.tsx'
import { usePage } from '../../../features/admin/use-page.ts'
import { categoriesQuery as publicCategoriesQuery } from '../../../features/categories/api.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { TrashIcon } from '../../../ui/icons.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import styles from './categories-page.module.css'
import { DeleteCategory } from './delete-category.tsx'

interface ColumnContext {
  onDelete: (category: Category) => void
}

const columnsOf = ({ onDelete }: ColumnContext): Column<Category>[] => [
  { label: '名前', kind: 'head', cell: ({ name }) => <Link to={paths.category(name)}>{name}</Link> },
  { label: '表示', kind: 'short', cell: ({ name }) => categoryLabel(name) },
  { label: '説明', kind: 'wide', cell: ({ description }) => description || null },
  {
    label: '操作',
    kind: 'actions',
    cell: (category) => (
      <Button
        size="sm"
        variant="danger"
        icon={<TrashIcon size={16} />}
        aria-label={`カテゴリ「${category.name}」を削除`}
        onClick={() => onDelete(category)}
      >
        削除
      </Button>
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
    // Other pages offer them, too.
    await Promise.all([reloadList(), client.invalidateQueries({ queryKey: publicCategoriesQuery().queryKey })])
  }
  const { say, region } = useResults(reload)
  const [deleting, setDeleting] = useState<Category | null>(null)

  const columns = columnsOf({ onDelete: setDeleting })
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
          <FoundList label="カテゴリ" pagination={pagination}>
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
          <Field
            label="名前"
            hint="アドレスに使う短い名前。"
            counter={{ length: lengths.name, max: CATEGORY_NAME.max }}
          >
            {(field) => (
              <TextInput
                {...field}
                autoComplete="off"
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field
            label="説明（任意）"
            hint="カテゴリ一覧のボタンに表示されます。"
            counter={{ length: lengths.description, max: CATEGORY_DESCRIPTION.max }}
          >
            {(field) => (
              <TextInput
                {...field}
                autoComplete="off"
                value={description}
                onChange={(event) => setDescription(event.currentTarget.value)}
              />
            )}
          </Field>
        </div>
      </ActionForm>
    </section>
  )
}
