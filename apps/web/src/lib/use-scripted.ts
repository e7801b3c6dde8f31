import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False in the rendered page and during hydration, true once event handlers work. */
export const useScripted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
