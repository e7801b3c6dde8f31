/**
 * Handles Enter in every field of the board, except while an input method composes Japanese text.
 * Chrome sets `isComposing` (or keyCode 229) on the Enter that confirms a composition. Safari ends
 * the composition first and sends that Enter afterwards, so a flag outlives `compositionend` by one
 * task. The hook never writes the value, which would break the text under composition.
 */
import { useLayoutEffect, useMemo, useRef, type CompositionEvent, type KeyboardEvent } from 'react'
import { isImeKey } from './ime-key.ts'

type FieldElement = HTMLInputElement | HTMLTextAreaElement

export interface ImeSafeEnterOptions {
  /**
   * Action of Enter. Without it, Enter keeps its native meaning (submitting the form of a one-line
   * field), and is only suppressed during a composition.
   */
  onEnter?: () => void
  /** A text area: Shift+Enter is a new line, and so is Enter on touch keyboards. */
  multiline?: boolean
  /**
   * `mod`: only Ctrl+Enter or ⌘+Enter sends, Enter is a new line. Default `enter`. Ctrl/⌘+Enter
   * sends in both.
   */
  sendWith?: 'enter' | 'mod'
}

export interface ImeSafeEnterHandlers {
  onKeyDown: (event: KeyboardEvent<FieldElement>) => void
  onCompositionStart: (event: CompositionEvent<FieldElement>) => void
  onCompositionEnd: (event: CompositionEvent<FieldElement>) => void
}

/** The parts of a key press that the guard uses. */
export interface EnterPress {
  key: string
  keyCode: number
  isComposing: boolean
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

export interface ImeGuard {
  start: () => void
  end: () => void
  /** True when the key press belongs to the input method. */
  holds: (press: Pick<EnterPress, 'isComposing' | 'keyCode'>) => boolean
}

/** `later` runs its argument one task later; tests pass their own. */
export function createImeGuard(later: (task: () => void) => void = (task) => setTimeout(task, 0)): ImeGuard {
  let composing = false
  let generation = 0
  return {
    start() {
      composing = true
      generation += 1
    },
    end() {
      const ended = generation
      later(() => {
        if (ended === generation) composing = false
      })
    },
    holds: (press) => composing || isImeKey(press),
  }
}

/** The meaning of an Enter that does not belong to the input method. */
export function meaningOfEnter(
  press: EnterPress,
  options: { multiline: boolean; sendWith: 'enter' | 'mod'; touch: boolean },
): 'send' | 'newline' {
  if (press.ctrlKey || press.metaKey) return 'send'
  if (!options.multiline) return 'send'
  if (press.shiftKey || options.sendWith === 'mod' || options.touch) return 'newline'
  return 'send'
}

/** A touch keyboard has no Shift+Enter: its Enter is a new line, and a button sends. */
const hasTouchKeyboard = () => matchMedia('(pointer: coarse)').matches

/** Spread the returned handlers on the field. */
export function useImeSafeEnter(options: ImeSafeEnterOptions): ImeSafeEnterHandlers {
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })
  return useMemo(() => {
    const guard = createImeGuard()
    return {
      onCompositionStart: guard.start,
      onCompositionEnd: guard.end,
      onKeyDown(event) {
        if (event.key !== 'Enter') return
        const { onEnter, multiline = false, sendWith = 'enter' } = latest.current
        const { keyCode, key, shiftKey, ctrlKey, metaKey } = event
        const press = { key, keyCode, shiftKey, ctrlKey, metaKey, isComposing: event.nativeEvent.isComposing }
        if (guard.holds(press)) {
          // The Enter after Safari's compositionend would submit the form of a one-line field.
          if (!multiline) event.preventDefault()
          return
        }
        if (onEnter === undefined) return
        if (meaningOfEnter(press, { multiline, sendWith, touch: hasTouchKeyboard() }) === 'newline') return
        event.preventDefault()
        onEnter()
      },
    }
  }, [])
}
