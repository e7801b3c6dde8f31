import type { AdminCategory, PosterIds } from '@shinobi/contract/categories'
import { CATEGORY_DESCRIPTION } from '@shinobi/contract/limits'
import { SETTING_RANGES } from '@shinobi/contract/staff-limits'
import { messages } from '@shinobi/contract/messages'
import { countGraphemes } from '@shinobi/contract/text'
import { useState } from 'react'
import { ActionForm } from '../../../features/admin/action-form.tsx'
import { changeCategory } from '../../../features/admin/api.ts'
import { POSTER_ID_LABELS } from '../../../features/admin/poster-id-labels.ts'
import { useLast } from '../../../features/admin/use-last.ts'
import { readNumber } from '../../../features/settings/settings-form.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { LineField } from '../../../ui/line-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Switch } from '../../../ui/switch.tsx'

interface CategorySettingsProps {
  /** The category to change; null closes the dialog. */
  category: AdminCategory | null
  onClose: () => void
  onChanged: (text: string) => void
}

/** What a category is about, how many posts its threads take, which IDs they show, what is held. */
export function CategorySettings({ category, ...rest }: CategorySettingsProps) {
  const last = useLast(category)
  return (
    <Dialog open={category !== null} onClose={rest.onClose} title="カテゴリの設定">
      {last && <SettingsForm key={last._id} category={last} {...rest} />}
    </Dialog>
  )
}

const [MIN, MAX] = SETTING_RANGES.postLimit

const POSTER_IDS = (Object.keys(POSTER_ID_LABELS) as PosterIds[]).map((value) => ({
  value,
  label: POSTER_ID_LABELS[value],
}))

function SettingsForm({ category: given, onClose, onChanged }: CategorySettingsProps & { category: AdminCategory }) {
  // As it was opened: a list that is loaded anew may show what others have changed since.
  const [category] = useState(given)
  const [description, setDescription] = useState(category.description)
  const [text, setText] = useState(category.postLimit === null ? '' : String(category.postLimit))
  const [posterIds, setPosterIds] = useState(category.posterIds)
  const [holdImages, setHoldImages] = useState(category.holdImages)
  const postLimit = text.trim() === '' ? null : readNumber(text)
  const isWrong = postLimit !== null && !(postLimit >= MIN && postLimit <= MAX)
  const length = countGraphemes(description.trim())
  const isLong = length > CATEGORY_DESCRIPTION.max
  const change = changedFields({ description, postLimit, posterIds, holdImages }, category)
  return (
    <ActionForm
      label="変更する"
      disabled={isWrong || isLong || Object.keys(change).length === 0}
      onCancel={onClose}
      onSubmit={async () => {
        await changeCategory(category._id, change)
        onChanged(`カテゴリ「${category.name}」の設定を変更しました。`)
      }}
    >
      <LineField
        label="説明（任意）"
        hint="カテゴリ一覧のボタンに表示されます。"
        counter={{ length, max: CATEGORY_DESCRIPTION.max }}
        error={isLong ? messages.category_description_too_long : null}
        value={description}
        onChange={setDescription}
      />
      <LineField
        label="1スレッドの書き込みの上限"
        hint="空にすると、設定のとおりになります。すでに終わったスレッドは変わりません。"
        value={text}
        onChange={setText}
        {...(isWrong && { error: messages.setting_range(MIN, MAX) })}
      />
      <SelectField
        label="IDの表示"
        hint="これからの書き込みに付けるIDです。付いているIDは変わりません。"
        options={POSTER_IDS}
        value={posterIds}
        onChange={setPosterIds}
      />
      <Switch checked={holdImages} onChange={setHoldImages}>
        初めての方の画像は、確認してから公開する
      </Switch>
    </ActionForm>
  )
}
