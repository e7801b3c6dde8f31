import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { DeskPlace } from './desk-place.tsx'
import styles from './desk.module.css'
import { KeyHint } from '../../ui/key-hint.tsx'

interface CaseActionsProps {
  actions: Readonly<Record<'dismiss' | 'remove' | 'removeAll' | 'ban' | 'lock' | 'undo' | 'help', () => void>>
  /** There is a current item, and it can be decided. */
  ready: boolean
  canUndo: boolean
  /** Position in the queue; null for an empty desk. */
  place: { at: number; count: number } | null
  onStep: (by: 1 | -1) => void
  /** The open strip of choices (choice-strip.tsx), if there is one. */
  children: ReactNode
}

/** The decisions, at the bottom of the viewport in reach of the thumb, each with its key. */
export function CaseActions({ actions, ready, canUndo, place, onStep, children }: CaseActionsProps) {
  const decisions = [
    { key: 'D', label: '却下', act: actions.dismiss, variant: 'secondary' },
    { key: 'R', label: '削除', act: actions.remove, variant: 'danger' },
    { key: 'A', label: 'まとめて削除', act: actions.removeAll, variant: 'danger' },
    { key: 'B', label: '制限', act: actions.ban, variant: 'danger' },
    { key: 'L', label: 'ロック', act: actions.lock, variant: 'secondary' },
  ] as const
  return (
    <div className={styles['foot']}>
      {children}
      <div className={styles['bar']}>
        {place !== null && (
          <div className={styles['decisions']} role="group" aria-label="対応">
            {decisions.map(({ key, label, act, variant }) => (
              <Button key={key} size="sm" variant={variant} disabled={!ready} onClick={act}>
                {label} <KeyHint>{key}</KeyHint>
              </Button>
            ))}
          </div>
        )}
        <div className={styles['moves']}>
          {place !== null && <DeskPlace {...place} noun="通報" onStep={onStep} />}
          <Button size="sm" variant="ghost" disabled={!canUndo} onClick={actions.undo}>
            取り消し <KeyHint>U</KeyHint>
          </Button>
          <Button size="sm" variant="ghost" className={styles['help']} onClick={actions.help} aria-label="キーの一覧">
            <KeyHint>?</KeyHint>
          </Button>
        </div>
      </div>
    </div>
  )
}
