import { useEffect } from 'react'
import { useBlocker } from 'react-router'

/**
 * Keeps whoever has not saved their changes from leaving the screen unasked: by a link or Back with
 * the question of the caller, by closing or reloading the tab with the browser's own.
 */
export function useLeaveGuard(isChanged: boolean) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isChanged])
  return {
    isAsked: blocker.state === 'blocked',
    stay: () => blocker.reset?.(),
    leave: async () => blocker.proceed?.(),
  }
}
