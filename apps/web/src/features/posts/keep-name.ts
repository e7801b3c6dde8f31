import { NAMELESS } from '@shinobi/contract/nameless'
import { splitName } from '@shinobi/contract/trip'
import { checkNickname } from './api.ts'
import { chooseName, plainName } from './nickname.ts'

/**
 * Keeps the nickname of the opening post for further posts. The tripcode of a key is asked from the
 * server; without an answer the thread asks for the name again.
 */
export function keepName(threadId: string, nickname: string): void {
  const { name, key } = splitName(nickname)
  const writer = plainName(name === '' ? NAMELESS : name)
  if (key === null) return chooseName(threadId, writer)
  checkNickname(threadId, nickname).then(
    ({ trip = null }) => chooseName(threadId, { ...writer, key, trip }),
    () => {},
  )
}
