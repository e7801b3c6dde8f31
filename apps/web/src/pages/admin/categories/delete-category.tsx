import type { Category } from '@shinobi/contract/categories'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { messages } from '@shinobi/contract/messages'
import { useState } from 'react'
import { ActionForm } from '../../../features/admin/action-form.tsx'
import { deleteCategory } from '../../../features/admin/api.ts'
import { useLast } from '../../../features/admin/use-last.ts'
import { ApiError } from '../../../lib/api-client.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, SelectInput } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'

interface DeleteCategoryProps {
  /** The category to delete; null closes the dialog. */
  category: Category | null
  others: readonly Category[]
  onClose: () => void
  onDeleted: (text: string) => void
  /** Called after every attempt: the category or some of its threads may be gone. */
  onChanged: () => Promise<void>
}

/** Asks for confirmation, and then for a category to move the threads to, if there are any. */
export function DeleteCategory({ category, ...rest }: DeleteCategoryProps) {
  const last = useLast(category)
  return (
    <Dialog open={category !== null} onClose={rest.onClose} title="カテゴリを削除">
      {last && <DeleteForm key={last._id} category={last} {...rest} />}
    </Dialog>
  )
}

function DeleteForm({ category, others, onClose, onDeleted, onChanged }: DeleteCategoryProps & { category: Category }) {
  /** The server's message with the number of threads. */
  const [occupied, setOccupied] = useState<string | null>(null)
  const [moveTo, setMoveTo] = useState('')
  const submit = async () => {
    try {
      await deleteCategory(category._id, moveTo === '' ? null : moveTo)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'has_threads') throw error
      setOccupied(error.message)
      return
    } finally {
      await onChanged()
    }
    onDeleted(`カテゴリ「${category.name}」を削除しました。`)
  }
  return (
    <ActionForm
      label={occupied === null ? '削除する' : '移動して削除する'}
      variant="danger"
      disabled={occupied !== null && moveTo === ''}
      onCancel={onClose}
      onSubmit={submit}
    >
      <p>{messages.confirm_delete_category}</p>
      <p>
        <b>{category.name}</b>
        {category.description !== '' && `（${category.description}）`}
      </p>
      {occupied === null ? (
        <p>{messages.category_delete_empty}</p>
      ) : (
        <>
          <Notice tone="info">{occupied}</Notice>
          <p>{messages.category_delete_moves}</p>
          <Field label="スレッドの移動先" required>
            {(field) => (
              <SelectInput
                {...field}
                data-autofocus
                value={moveTo}
                onChange={(event) => setMoveTo(event.currentTarget.value)}
              >
                <option value="">選んでください</option>
                {others
                  .filter(({ _id }) => _id !== category._id)
                  .map(({ _id, name }) => (
                    <option key={_id} value={_id}>
                      {categoryLabel(name)}
                    </option>
                  ))}
              </SelectInput>
            )}
          </Field>
        </>
      )}
    </ActionForm>
  )
}
