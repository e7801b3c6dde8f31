/** Where the rules are stored, and what tells that they have changed. */
export const RULES_KEY = 'hiding'
const CHANGED = 'shinobi:hiding'

/** Tells the listeners of this tab; the storage tells those of the others. */
export const announceRules = (): boolean => dispatchEvent(new Event(CHANGED))

/** Subscribes to changes in this tab and in others. */
export function subscribeRules(listener: () => void): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key === RULES_KEY || key === null) listener()
  }
  addEventListener(CHANGED, listener)
  addEventListener('storage', follow)
  return () => {
    removeEventListener(CHANGED, listener)
    removeEventListener('storage', follow)
  }
}
