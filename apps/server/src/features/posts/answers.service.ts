import type { ThreadAnswers } from '@shinobi/contract/posts'
import { numbersAnsweredBy } from '@shinobi/text/anchors'
import type { Db } from '../../db/client.ts'
import { inSlices } from '../../lib/in-slices.ts'
import { selectPostsForAnchors } from './posts.queries.ts'

/**
 * Which posts of a thread answer which. A thread of long posts has fifty megabytes of text, so it
 * is read 200 kB at a time, and only the numbers are kept.
 * @param through the number of the last post that has to be among them
 * @param inTurn reads a page when there is a place for that
 */
export async function readAnswers(
  source: Db,
  threadId: string,
  through: number,
  inTurn: (readPage: () => Promise<void>) => Promise<void>,
): Promise<ThreadAnswers['answers']> {
  const answers: ThreadAnswers['answers'] = {}
  let last = 0

  async function readPage(): Promise<void> {
    const posts = await selectPostsForAnchors(source, threadId, last)
    last = posts.at(-1)?.number ?? through
    const found = await inSlices(
      posts.values().map((post) => ({ number: post.number, answered: numbersAnsweredBy(post) })),
    )
    for (const { number, answered } of found) for (const one of answered) (answers[one] ??= []).push(number)
  }

  while (last < through) await inTurn(readPage)
  return answers
}
