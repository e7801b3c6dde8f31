import { useSyncExternalStore } from 'react'

/** Whether the browser reports a network. */
export const useOnline = (): boolean => useSyncExternalStore(followNetwork, isOnline, () => true)

const isOnline = () => navigator.onLine

function followNetwork(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
