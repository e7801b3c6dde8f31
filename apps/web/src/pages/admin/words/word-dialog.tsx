import { MODERATION_NOTE, WORD } from '@shinobi/contract/staff-limits'
import { countGraphemes } from '@shinobi/contract/text'
import type { WordAction, WordRule } from '@shinobi/contract/words'
import { useState } from 'react'
import { ActionForm } from '../../../features/admin/action-form.tsx'
import { changeWord, createWord } from '../../../features/admin/api.ts'
import { useLast } from '../../../features/admin/use-last.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, TextArea } from '../../../ui/field.tsx'
import { LineField } from '../../../ui/line-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { ACTION_OPTIONS, findAllowedProblem, findNoteProblem, findWordProblem, readAllowed } from './word-fields.ts'
import { WordTrial } from './word-trial.tsx'

interface WordDialogProps {
  /** The rule to change, or a new one; null closes the dialog. */
  rule: WordRule | 'new' | null
  onClose: () => void
  onSaved: (text: string) => void
}

export function WordDialog({ rule, onClose, onSaved }: WordDialogProps) {
  const last = useLast(rule)
  return (
    <Dialog open={rule !== null} onClose={onClose} title={last === 'new' ? '禁止語を追加' : '禁止語を編集'}>
      <WordForm rule={last === 'new' ? null : last} onClose={onClose} onSaved={onSaved} />
    </Dialog>
  )
}

function WordForm({ rule: given, onClose, onSaved }: Omit<WordDialogProps, 'rule'> & { rule: WordRule | null }) {
  // As it was opened: a list that is loaded anew may show what others have changed since.
  const [rule] = useState(given)
  const [word, setWord] = useState(rule?.word ?? '')
  const [allowText, setAllowText] = useState(rule?.allow.join('\n') ?? '')
  const [action, setAction] = useState<WordAction>(rule?.action ?? 'block')
  const [note, setNote] = useState(rule?.note ?? '')
  const [tried, setTried] = useState(false)

  const allow = readAllowed(allowText)
  const problems = { word: findWordProblem(word), allow: findAllowedProblem(allow), note: findNoteProblem(note) }
  const submit = async () => {
    setTried(true)
    if (Object.values(problems).some((problem) => problem !== null)) return
    const input = { word: word.trim(), allow, action, note: note.trim() }
    if (rule === null) await createWord(input)
    else await changeWord(rule._id, changedFields(input, rule))
    onSaved(rule === null ? `「${input.word}」を追加しました。` : `「${input.word}」を保存しました。`)
  }
  return (
    <ActionForm label={rule === null ? '追加する' : '保存する'} onCancel={onClose} onSubmit={submit}>
      <LineField
        label="言葉"
        required
        error={tried ? problems.word : null}
        counter={{ length: countGraphemes(word.trim()), max: WORD.max }}
        value={word}
        onChange={setWord}
      />
      <SelectField label="動作" options={ACTION_OPTIONS} value={action} onChange={setAction} />
      <Field
        label="例外の言葉（任意）"
        hint="この言葉を含んでいても問題のない、より長い言葉。1行に1つ。"
        error={tried ? problems.allow : null}
      >
        {(field) => (
          <TextArea
            {...field}
            rows={2}
            maxRows={6}
            value={allowText}
            onChange={(event) => setAllowText(event.currentTarget.value)}
          />
        )}
      </Field>
      <LineField
        label="メモ（任意）"
        error={tried ? problems.note : null}
        counter={{ length: countGraphemes(note.trim()), max: MODERATION_NOTE.max }}
        value={note}
        onChange={setNote}
      />
      <WordTrial word={word.trim()} allow={allow} disabled={problems.word !== null || problems.allow !== null} />
    </ActionForm>
  )
}
