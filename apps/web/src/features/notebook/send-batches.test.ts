import { expect, it } from 'vitest'
import { ApiError } from '../../lib/api-client.ts'
import { sendInBatches } from './send-batches.ts'

/** Sends the entries to a server that never takes those whose name begins with "bad". */
async function sendAll(entries: readonly string[], limit: number) {
  let waiting = [...entries]
  const requests: (readonly string[])[] = []
  const taken: string[] = []
  await sendInBatches({
    limit,
    goesOn: () => true,
    read: (most) => waiting.slice(0, most),
    async send(batch) {
      requests.push(batch)
      if (batch.some((entry) => entry.startsWith('bad'))) throw new ApiError(400, 'bad_request', '')
      taken.push(...batch)
    },
    drop: (batch) => void (waiting = waiting.filter((entry) => !batch.includes(entry))),
  })
  return { requests, taken, waiting }
}

it('loses only the entry that the server refuses, and sends batches again after it', async () => {
  expect(await sendAll(['a', 'bad', 'b', 'c', 'd', 'e', 'f'], 3)).toEqual({
    requests: [['a', 'bad', 'b'], ['a'], ['bad'], ['b', 'c', 'd'], ['e', 'f']],
    taken: ['a', 'b', 'c', 'd', 'e', 'f'],
    waiting: [],
  })
})

it('sends no more at once than a browser delivers after its page has ended', async () => {
  const long = ['あ', 'い', 'う'].map((one) => one.repeat(8_000))
  const { requests } = await sendAll([...long, 'あ'.repeat(30_000)], 100)
  expect(requests.map((batch) => batch.length)).toEqual([2, 1, 1])
})
