import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import styles from './choice-strip.module.css'
import { KeyHint } from '../../ui/key-hint.tsx'

export interface ChoiceStripProps {
  title: string
  choices: readonly { key: string; label: string }[]
  /** The key of the choice that Enter takes. */
  usual?: string
  onChoose: (key: string) => void
  onCancel: () => void
}

/**
 * The second key of a command: 1 to 9 choose, Enter takes the default, Esc cancels. The desk
 * handles the keys.
 */
export function ChoiceStrip({ title, choices, usual, onChoose, onCancel }: ChoiceStripProps) {
  const strip = useRef<HTMLDivElement>(null)
  useEffect(() => strip.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={strip} className={styles['strip']} role="group" aria-label={title} tabIndex={-1}>
      <p className={styles['title']}>{title}</p>
      <div className={styles['choices']}>
        {choices.map(({ key, label }, index) => (
          <Button key={key} size="sm" className={styles['choice']} onClick={() => onChoose(key)}>
            <KeyHint>{String(index + 1)}</KeyHint>
            <span className={styles['label']}>{label}</span>
            {key === usual && <KeyHint>Enter</KeyHint>}
          </Button>
        ))}
        <Button size="sm" variant="ghost" onClick={onCancel}>
          キャンセル <KeyHint>Esc</KeyHint>
        </Button>
      </div>
    </div>
  )
}

/** The desk's keys while a strip is open; null without one. */
export function stripKeys(strip: ChoiceStripProps | null) {
  if (strip === null) return {}
  const { choices, usual, onChoose, onCancel } = strip
  const numbers = choices.map(({ key }, index) => [String(index + 1), () => onChoose(key)] as const)
  return {
    ...Object.fromEntries(numbers),
    Escape: onCancel,
    ...(usual !== undefined && { Enter: () => onChoose(usual) }),
  }
}
