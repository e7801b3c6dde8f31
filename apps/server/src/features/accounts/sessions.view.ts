import type { Session } from '@shinobi/contract/accounts'
import type { SessionListRow } from './sessions.queries.ts'

/** A session in its member's own list. @param current id of the request's session */
export const toSession = ({ id, device, createdAt, lastUsedAt }: SessionListRow, current: string): Session => ({
  _id: id,
  current: id === current,
  device,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt.toISOString(),
})
