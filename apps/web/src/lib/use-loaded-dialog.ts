import { messages } from '@shinobi/contract/messages'
import { useCallback, useState, type ComponentType } from 'react'

/** What a dialog shows. It stays the same while the dialog closes. */
interface Shown<P, S> {
  readonly Dialog: ComponentType<P>
  readonly subject: S
  readonly isOpen: boolean
}

export interface LoadedDialog<P, S> {
  /** Null until the dialog was first opened. */
  readonly shown: Shown<P, S> | null
  /** Stable, as is `close`. */
  readonly open: (subject: S) => void
  readonly close: () => void
}

/**
 * A dialog that is loaded when it is first opened.
 * @param load stable, as is `warn`
 * @param warn shows why the dialog does not open
 */
export function useLoadedDialog<P, S>(
  load: () => Promise<ComponentType<P>>,
  warn: (message: string) => void,
  failure: string = messages.unexpected,
): LoadedDialog<P, S> {
  const [shown, setShown] = useState<Shown<P, S> | null>(null)
  const open = useCallback(
    (subject: S) =>
      void load().then(
        (Dialog) => setShown({ Dialog, subject, isOpen: true }),
        () => warn(failure),
      ),
    [load, warn, failure],
  )
  const close = useCallback(() => setShown((now) => now && { ...now, isOpen: false }), [])
  return { shown, open, close }
}
