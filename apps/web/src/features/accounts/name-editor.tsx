import type { User } from '@shinobi/contract/accounts'
import { newNameWords } from '@shinobi/contract/complaints'
import { cleanName } from '@shinobi/contract/text'
import { USERNAME } from '@shinobi/contract/limits'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { enterSession } from './session.ts'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { PencilIcon } from '../../ui/icons.tsx'
import { findNameProblem } from './account-rules.ts'
import { renameUser } from './api.ts'
import styles from './name-editor.module.css'
import { useRequest } from '../../lib/use-request.ts'
import { isImeKey } from '../../lib/ime-key.ts'

/** The user name, and a form in its place to change it. */
export function NameEditor({ user, onChanged }: { user: User; onChanged: (known: { name: string }) => void }) {
  const [editing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !editing) button.current?.focus()
    wasEditing.current = editing
  }, [editing])

  if (editing) {
    return (
      <NameForm
        name={user.name}
        onCancel={() => setEditing(false)}
        onRenamed={(renamed) => {
          enterSession(renamed)
          setEditing(false)
          onChanged({ name: renamed.name })
        }}
      />
    )
  }
  return (
    <div className={styles['shown']}>
      <h2 className={styles['name']}>{user.name === '' ? '会員' : user.name}</h2>
      <Button
        ref={button}
        size="sm"
        variant="ghost"
        icon={<PencilIcon size={16} />}
        className={styles['edit']}
        onClick={() => setEditing(true)}
      >
        名前を変える
      </Button>
    </div>
  )
}

interface NameFormProps {
  name: string
  onCancel: () => void
  onRenamed: (user: User) => void
}

function NameForm({ name: given, onCancel, onRenamed }: NameFormProps) {
  // As it was opened: another tab may change the name meanwhile.
  const [name] = useState(given)
  const [typed, setTyped] = useState(name)
  const input = useRef<HTMLInputElement>(null)
  const { busy, problem, complain, send } = useRequest()
  const enter = useImeSafeEnter({})

  useEffect(() => {
    input.current?.select()
  }, [])

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (cleanName(typed) === name) return onCancel()
    const wrong = findNameProblem(typed, newNameWords)
    if (wrong !== null) {
      complain(wrong)
      input.current?.focus()
      return
    }
    void send(async () => {
      try {
        onRenamed((await renameUser(typed)).user)
      } catch (error) {
        // The failure is logged as well, with its cause (docs/product.md#profile).
        console.error(error)
        throw error
      }
    })
  }

  return (
    <form className={styles['form']} noValidate onSubmit={save}>
      <Field label="新しい会員名" hint={`${USERNAME.min}〜${USERNAME.max}文字`} error={problem}>
        {(field) => (
          <TextInput
            {...field}
            {...enter}
            onKeyDown={(event) => {
              enter.onKeyDown(event)
              // Esc during an IME conversion cancels the conversion only.
              if (event.key === 'Escape' && !isImeKey(event.nativeEvent) && !busy) onCancel()
            }}
            ref={input}
            name="name"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              complain(null)
            }}
          />
        )}
      </Field>
      <div className={styles['actions']}>
        <Button type="submit" variant="primary" busy={busy}>
          保存
        </Button>
        <Button disabled={busy} onClick={onCancel}>
          キャンセル
        </Button>
      </div>
    </form>
  )
}
