import { NAMELESS } from '@shinobi/contract/nameless'
import { splitName } from '@shinobi/contract/trip'
import { checkNickname } from './api.ts'
import { chooseName, plainName } from './nickname.ts'

/**
 * Keeps the nickname of the opening post for further posts. The tripcode of a key is asked from the
 * server; without an answer the name is shown without it.
 */
export function keepName(threadId: string, nickname: string): void {
  const { name, key } = splitName(nickname)
  const writer = plainName(name === '' ? NAMELESS : name)
  // At once, because the page may be left before the answer.
  chooseName(threadId, { ...writer, key })
  if (key === null) return
  checkNickname(threadId, nickname).then(
    ({ trip = null }) => chooseName(threadId, { ...writer, key, trip }),
    () => {},
  )
}
