import { inFigures } from '@shinobi/contract/in-figures'
import { WORD_IMPORT_BYTES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { WordAction } from '@shinobi/contract/words'
import { useState } from 'react'
import { ActionForm } from '../../../features/admin/action-form.tsx'
import { importWords } from '../../../features/admin/api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, TextArea } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { ACTION_OPTIONS } from './word-fields.ts'

interface ImportDialogProps {
  open: boolean
  onClose: () => void
  onImported: (text: string) => void
  /** Called when some words were added and unusable ones stay in the field. */
  onPartly: () => Promise<void>
}

export function ImportDialog({ open, onClose, ...rest }: ImportDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="禁止語をまとめて追加">
      <ImportForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

function ImportForm({ onClose, onImported, onPartly }: Omit<ImportDialogProps, 'open'>) {
  const [text, setText] = useState('')
  const [action, setAction] = useState<WordAction>('block')
  const [left, setLeft] = useState<string | null>(null)
  const [tried, setTried] = useState(false)
  const tooLong = text.length > WORD_IMPORT_BYTES
  const problem = tooLong
    ? `一度に${inFigures(WORD_IMPORT_BYTES)}文字までです。`
    : text.trim() === ''
      ? messages.word_required
      : null
  const submit = async () => {
    setTried(true)
    setLeft(null)
    if (problem !== null) return
    const { added, known, unusable } = await importWords(text, action)
    const sum = `${inFigures(added)}件を追加しました（登録済み ${inFigures(known)}件）`
    if (unusable.length === 0) return onImported(sum)
    // Unusable words stay in the field to be corrected.
    setText(unusable.join('\n'))
    setLeft(`${sum}。次の${inFigures(unusable.length)}件は使えません。`)
    await onPartly()
  }
  return (
    <ActionForm label="追加する" onCancel={onClose} onSubmit={submit}>
      <Field label="言葉" required hint="1行に1つ。登録済みの言葉はそのままです。" error={tried ? problem : null}>
        {(field) => (
          <TextArea
            {...field}
            rows={8}
            maxRows={12}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      <SelectField label="動作" options={ACTION_OPTIONS} value={action} onChange={setAction} />
      {left !== null && <Notice tone="info">{left}</Notice>}
    </ActionForm>
  )
}
