import type { AdminCategory } from '@shinobi/contract/categories'
import { SETTING_RANGES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { useState } from 'react'
import { ActionForm } from '../../../features/admin/action-form.tsx'
import { changeCategory } from '../../../features/admin/api.ts'
import { useLast } from '../../../features/admin/use-last.ts'
import { readNumber } from '../../../features/settings/settings-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { LineField } from '../../../ui/line-field.tsx'

interface PostLimitProps {
  /** The category to change; null closes the dialog. */
  category: AdminCategory | null
  onClose: () => void
  onChanged: (text: string) => void
}

/** How many posts the threads of a category take. */
export function PostLimit({ category, ...rest }: PostLimitProps) {
  const last = useLast(category)
  return (
    <Dialog open={category !== null} onClose={rest.onClose} title="書き込みの上限">
      {last && <LimitForm key={last._id} category={last} {...rest} />}
    </Dialog>
  )
}

const [MIN, MAX] = SETTING_RANGES.postLimit

function LimitForm({ category, onClose, onChanged }: PostLimitProps & { category: AdminCategory }) {
  const [text, setText] = useState(category.postLimit === null ? '' : String(category.postLimit))
  const limit = text.trim() === '' ? null : readNumber(text)
  const isWrong = limit !== null && !(limit >= MIN && limit <= MAX)
  return (
    <ActionForm
      label="変更する"
      disabled={isWrong}
      onCancel={onClose}
      onSubmit={async () => {
        await changeCategory(category._id, limit)
        onChanged(`カテゴリ「${category.name}」の書き込みの上限を変更しました。`)
      }}
    >
      <LineField
        label="1スレッドの書き込みの上限"
        hint="空にすると、設定のとおりになります。すでに終わったスレッドは変わりません。"
        value={text}
        onChange={setText}
        {...(isWrong && { error: messages.setting_range(MIN, MAX) })}
      />
    </ActionForm>
  )
}
