import type { OwnerAction, OwnerTask } from '@shinobi/contract/owners'
import { apiSend } from '../../lib/api-client.ts'

const pathOf = (threadId: string): string => `/api/threads/${encodeURIComponent(threadId)}/owner-actions`

export const actAsOwner = (threadId: string, task: OwnerTask) => apiSend<OwnerAction>('POST', pathOf(threadId), task)

export const takeBackAsOwner = (threadId: string, actionId: string) =>
  apiSend('DELETE', `${pathOf(threadId)}/${encodeURIComponent(actionId)}`)
