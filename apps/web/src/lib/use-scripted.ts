import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False in the rendered page and while hydrating, true once presses are heard. */
export const useScripted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
