/** What the opener of a thread did in it, as far as it stands. */
import type { OwnerAction } from '@shinobi/contract/owners'
import type { Thread } from '@shinobi/contract/threads'

type Of = Pick<Thread, 'locked' | 'ownerActions'>

/** The notes below post 1. */
export const notesOf = ({ ownerActions }: Of): OwnerAction[] =>
  ownerActions.filter(({ kind, undone }) => kind === 'note' && undone === null)

/** Whether the opener closed it, and not moderators. */
export const isClosedByOwner = ({ locked, ownerActions }: Of): boolean =>
  locked && ownerActions.some(({ kind, undone }) => kind === 'close' && undone === null)
