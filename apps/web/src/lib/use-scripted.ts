import { useSyncExternalStore, type ReactNode } from 'react'

const never = () => () => {}

/** False in the rendered page and during hydration, true once event handlers work. */
export const useScripted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/** What only scripts can show: a component of its own, so nothing around it is rendered again. */
export const Scripted = ({ children }: { children: ReactNode }): ReactNode => (useScripted() ? children : null)
