import type { Category } from '@shinobi/contract/categories'
import { defaultCategory } from '@shinobi/contract/category-labels'
import { NEWS_NAME } from '@shinobi/contract/staff-limits'
import { messages } from '@shinobi/contract/messages'
import type { NewsSource } from '@shinobi/contract/news'
import { cleanLine, countGraphemes } from '@shinobi/contract/text'
import { useState } from 'react'
import { ActionForm } from '../admin/action-form.tsx'
import { useLast } from '../admin/use-last.ts'
import { changeSource, createSource } from './api.ts'
import { ApiError } from '../../lib/api-client.ts'
import { changedFields } from '../../lib/changed-fields.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LineField } from '../../ui/line-field.tsx'
import { CheckField } from './check-field.tsx'
import { FormFields } from '../../ui/form-fields.tsx'
import { SourceChoices } from './source-choices.tsx'
import { fieldsOf, findSourceProblems, newSource, readSource, type SourceFields } from './source-fields.ts'

interface SourceDialogProps {
  /** The source to edit, or a new one; null closes the dialog. */
  source: NewsSource | 'new' | null
  categories: readonly Category[]
  onClose: () => void
  onSaved: (words: string) => Promise<void>
}

export function SourceDialog({ source, onClose, ...rest }: SourceDialogProps) {
  const last = useLast(source)
  return (
    <Dialog open={source !== null} onClose={onClose} title={last === 'new' ? '情報源を追加' : '情報源を編集'}>
      <SourceForm source={last === 'new' ? null : last} onClose={onClose} {...rest} />
    </Dialog>
  )
}

/** Refusals that only the server can know, and that are about the address. */
const ABOUT_URL: ReadonlySet<string> = new Set([messages.news_url_bad, messages.news_source_taken])

function SourceForm({
  source: given,
  categories,
  onClose,
  onSaved,
}: Omit<SourceDialogProps, 'source'> & { source: NewsSource | null }) {
  // As it was opened: a list that is loaded anew may show what others have changed since.
  const [source] = useState(given)
  const [fields, setFields] = useState<SourceFields>(() =>
    source === null ? newSource(defaultCategory(categories)?._id ?? '') : fieldsOf(source),
  )
  const [tries, setTries] = useState(0)
  /** Cleared once a field is edited. */
  const [refused, setRefused] = useState<string | null>(null)
  const problems = { ...(tries > 0 && findSourceProblems(fields)), ...(refused !== null && { url: refused }) }

  const type = (patch: Partial<SourceFields>) => {
    setRefused(null)
    setFields((before) => ({ ...before, ...patch }))
  }
  const submit = async () => {
    setTries((before) => before + 1)
    const input = readSource(fields)
    if (input === null) return
    try {
      if (source === null) await createSource(input)
      else await changeSource(source._id, changedFields(input, source))
    } catch (error) {
      if (!(error instanceof ApiError && ABOUT_URL.has(error.message))) throw error
      setRefused(error.message)
      setTries((before) => before + 1)
      return
    }
    await onSaved(source === null ? `「${input.name}」を追加しました。` : `「${input.name}」を保存しました。`)
  }
  return (
    <ActionForm label={source === null ? '追加する' : '保存する'} onCancel={onClose} onSubmit={submit}>
      <FormFields tries={tries}>
        <LineField
          label="フィードのアドレス"
          hint="RSS、Atom、RDF、JSON Feed"
          required
          error={problems.url}
          type="url"
          inputMode="url"
          value={fields.url}
          onChange={(url) => type({ url })}
        />
        <LineField
          label="名前"
          hint="スレッドに「出典」として出ます。"
          required
          error={problems.name}
          counter={{ length: countGraphemes(cleanLine(fields.name)), max: NEWS_NAME.max }}
          value={fields.name}
          onChange={(name) => type({ name })}
        />
        <SourceChoices fields={fields} problems={problems} categories={categories} onChange={type} />
        <CheckField
          label="確認する"
          hint="外すと、次に入れるまで読みに行きません。"
          checked={fields.active}
          onChange={(active) => type({ active })}
        />
      </FormFields>
    </ActionForm>
  )
}
