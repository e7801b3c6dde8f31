import { MODERATION_NOTE } from '@shinobi/contract/staff-limits'
import { countGraphemes } from '@shinobi/contract/text'
import type { Ref } from 'react'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { isImeKey } from '../../lib/ime-key.ts'
import { Field, TextInput } from '../../ui/field.tsx'

interface CaseNoteProps {
  ref: Ref<HTMLInputElement>
  /** The note that the server has. */
  stored: string
  note: string
  onType: (note: string) => void
  /** Editing has ended; the focus returns to the desk's keys. */
  onDone: () => void
}

/** A note for other moderators. Saved on blur or Enter, and together with a decision. */
export function CaseNote({ ref, stored, note, onType, onDone }: CaseNoteProps) {
  const save = () => {
    if (note.trim() !== stored) onDone()
  }
  const enter = useImeSafeEnter({
    onEnter: () => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    },
  })
  return (
    <Field
      label="メモ"
      hint="運営だけが読みます。Enterで残します。"
      counter={{ length: countGraphemes(note.trim()), max: MODERATION_NOTE.max }}
    >
      {(field) => (
        <TextInput
          {...field}
          {...enter}
          ref={ref}
          value={note}
          autoComplete="off"
          onChange={(event) => onType(event.currentTarget.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !isImeKey(event.nativeEvent)) event.currentTarget.blur()
            else enter.onKeyDown(event)
          }}
        />
      )}
    </Field>
  )
}
