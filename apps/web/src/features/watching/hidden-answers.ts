import type { Post } from '@shinobi/contract/posts'
import { apiGet } from '../../lib/api-client.ts'
import { createMatch } from '../hiding/matcher.ts'
import { hashPicture } from '../hiding/pictures.ts'
import { hidingRules, rulesFor } from '../hiding/rules.ts'
import { toHideable } from '../posts/hideable.ts'

/** Which of some posts of a thread the visitor hides. */
export async function findHiddenAnswers(threadId: string, numbers: readonly number[]): Promise<ReadonlySet<number>> {
  const rules = rulesFor(hidingRules(), threadId, Date.now()).filter(({ kind }) => kind !== 'title')
  if (rules.length === 0) return new Set()
  const match = await createMatch(rules)
  const readsPictures = rules.some(({ kind }) => kind === 'image')
  const hidden = new Set<number>()
  for (const number of numbers) {
    const [post] = await apiGet<Post[]>(`/api/threads/${threadId}/posts?after=${number - 1}&limit=1`)
    if (post === undefined) continue
    const { subject, pictureUrl } = toHideable(post)
    const picture = readsPictures && pictureUrl !== null ? await hashPicture(pictureUrl) : null
    if (match({ ...subject, picture }) !== null) hidden.add(number)
  }
  return hidden
}
