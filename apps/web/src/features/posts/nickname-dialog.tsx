import { NAMELESS } from '@shinobi/contract/nameless'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { afterComposition } from '../../lib/composition.ts'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { isImeKey } from '../../lib/ime-key.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { TextInput } from '../../ui/field.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './nickname-dialog.module.css'
import { nameAsShown, nameAsTyped, type ChosenName } from './nickname.ts'
import type { Nickname } from './use-nickname.ts'

interface NicknameDialogProps {
  nickname: Nickname
  /**
   * The visitor opened it: the field takes the focus. Otherwise it does not, because focus would
   * scroll and open keyboards.
   */
  focus: boolean
  /** A name was pressed, which the server checks now: what is typed meanwhile is the post. */
  onDecide: () => void
  onConfirmed: () => void
  /** Dismisses it; reading needs no name. */
  onClose: () => void
}

const typedBefore = (chosen: ChosenName): string | null => {
  if (chosen == null) return null
  const typed = nameAsTyped(chosen)
  return typed === NAMELESS ? null : typed
}

/** Asks for a nickname in one line above the composer. The composer and the thread stay usable. */
export function NicknameDialog({ nickname, focus, onDecide, onConfirmed, onClose }: NicknameDialogProps) {
  const { chosen, proposal, elsewhere, propose, confirm } = nickname
  const id = useId()
  const dialog = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(typedBefore(chosen))
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [isUsed, setUsed] = useState(false)

  useEffect(() => {
    if (focus) input.current?.select()
  }, [focus])

  const close = useEffectEvent(onClose)
  useEffect(() => {
    const element = dialog.current
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isImeKey(event)) close()
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [])

  const change = (name: string | null) => {
    setTyped(name)
    setError(null)
  }
  const decide = async (name: string) => {
    if (busy) return
    setBusy(true)
    onDecide()
    const problem = await confirm(name)
    setBusy(false)
    setError(problem)
    if (problem === null) return onConfirmed()
    await afterComposition()
    input.current?.focus()
  }
  const enter = useImeSafeEnter({ onEnter: () => void decide(typed ?? proposal) })

  return (
    <div ref={dialog} role="dialog" aria-label="ニックネームを決める" className={styles['dialog']}>
      {error !== null && (
        <div className={styles['error']} id={`${id}e`}>
          <Notice tone="error">{error}</Notice>
        </div>
      )}
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void decide(typed ?? proposal)
        }}
      >
        <label htmlFor={id} className={styles['label']}>
          名前<span className="visually-hidden">（ニックネーム）</span>
        </label>
        <TextInput
          {...enter}
          id={id}
          ref={input}
          className={styles['input']}
          aria-required
          aria-invalid={error !== null || undefined}
          aria-describedby={cx(`${id}h`, error !== null && `${id}e`)}
          value={typed ?? proposal}
          onChange={(event) => change(event.currentTarget.value)}
          onFocus={() => setUsed(true)}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="done"
        />
        <Button variant="primary" type="submit" busy={busy} className={styles['confirm']}>
          <span>
            この名前で
            <wbr />
            書き込む
          </span>
        </Button>
        <Button variant="ghost" onClick={() => void decide(NAMELESS)} className={styles['nameless']}>
          <span>
            {NAMELESS}で
            <wbr />
            書く
          </span>
        </Button>
        {/* On a phone without a remembered name they appear when the field has the focus. */}
        <div className={styles['options']}>
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              propose()
              change(null)
            }}
          >
            ほかの候補
          </Button>
          {elsewhere.map((writer) => (
            <Button
              key={nameAsShown(writer)}
              size="sm"
              variant="ghost"
              className={styles['elsewhere']}
              onClick={() => change(nameAsTyped(writer))}
            >
              <span className="visually-hidden">前に使った名前 </span>
              <span>{nameAsShown(writer)}</span>
            </Button>
          ))}
        </div>
        <IconButton label="あとで決める" onClick={onClose} className={styles['close']}>
          <CloseIcon size={18} />
        </IconButton>
        {/* Stays once the field was used: what is pressed next must not move. */}
        <p className={styles['hint']} id={`${id}h`} hidden={!isUsed}>
          このスレッドだけで使う名前です。「名前#鍵」と入れると、鍵を知る人だけが出せる印（◆トリップ）が付きます。
        </p>
      </form>
    </div>
  )
}
