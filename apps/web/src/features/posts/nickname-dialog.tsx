import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from 'react'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { ScrollRod } from '../../ui/motifs/scroll-rod.tsx'
import styles from './nickname-dialog.module.css'
import type { Nickname } from './use-nickname.ts'

interface NicknameDialogProps {
  nickname: Nickname
  /** Stands in the title's line. */
  aside: ReactNode
  /** Opened by the visitor: the field takes the focus. It never does by itself, which would scroll and open keyboards. */
  focus: boolean
  onConfirmed: () => void
  /** Tucks it away; reading needs no name. */
  onTuck: () => void
}

/** Choosing a nickname, in the place where the composer will be. Not modal: the thread stays readable and usable. */
export function NicknameDialog({ nickname, aside, focus, onConfirmed, onTuck }: NicknameDialogProps) {
  const { name, proposal, propose, confirm } = nickname
  const titleId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(name)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState<'proposing' | 'confirming' | null>(null)

  useEffect(() => {
    if (focus) input.current?.select()
  }, [focus])

  const tuck = useEffectEvent(onTuck)
  useEffect(() => {
    // Wherever the focus is: the dialog came unasked. A modal one above it takes Esc for itself.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
      if (document.querySelector('dialog[open]') === null) tuck()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  const during = async (kind: 'proposing' | 'confirming', task: () => Promise<string | null>) => {
    setBusy(kind)
    setError(null)
    const problem = await task()
    setBusy((now) => (now === kind ? null : now))
    setError(problem)
    return problem
  }
  const another = () => {
    if (busy !== null) return
    setTyped(null)
    void during('proposing', propose)
  }
  const decide = async () => {
    // Who likes the proposal that is still being looked at takes it: the confirmation asks for itself.
    if (busy === 'confirming') return
    const problem = await during('confirming', () => confirm(typed ?? proposal))
    if (problem === null) onConfirmed()
    else input.current?.focus()
  }
  const enter = useImeSafeEnter({ onEnter: () => void decide() })

  return (
    <div role="dialog" aria-labelledby={titleId} className={styles['dialog']}>
      <ScrollRod className={styles['rod']} />
      <div className={styles['paper']}>
        <header className={styles['head']}>
          <h2 id={titleId} className={styles['title']}>
            ニックネームを決める
          </h2>
          {aside}
          <IconButton label="あとで決める" onClick={onTuck} className={styles['tuck']}>
            <CloseIcon />
          </IconButton>
        </header>
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault()
            void decide()
          }}
        >
          <Field
            label="ニックネーム"
            hideLabel
            required
            hint="このスレッドだけで使う名前です。"
            error={error}
            className={styles['field']}
          >
            {(field) => (
              <TextInput
                {...field}
                {...enter}
                required={false}
                aria-required
                ref={input}
                value={typed ?? proposal}
                onChange={(event) => {
                  setTyped(event.currentTarget.value)
                  setError(null)
                }}
                autoComplete="off"
                spellCheck={false}
                enterKeyHint="done"
              />
            )}
          </Field>
          <div className={styles['buttons']}>
            <Button onClick={another} busy={busy === 'proposing'}>
              ほかの候補
            </Button>
            <Button variant="primary" type="submit" busy={busy === 'confirming'}>
              この名前で書き込む
            </Button>
          </div>
        </form>
      </div>
    </div>
  )
}
