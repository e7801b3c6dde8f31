/** Visitors, a member and a moderator who write over HTTP between each other. */
import { Agent, request } from 'node:http'
import { japanese, random } from '../lib/text.ts'
import { answerCalls } from '../lib/worker.ts'

export interface Mixed {
  readonly url: string
  readonly threadIds: readonly string[]
  /** Cookies. */
  readonly member: string
  readonly moderator: string
  /** Visitors, each with one write under way; the others write in their stead. */
  readonly visitors: number
  readonly seconds: number
}

interface Write {
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly cookie: string
  readonly body?: object
}

/** A nickname belongs to its first user: on a kept board, each run needs new ones. */
const RUN = Date.now().toString(36)
const TEXT_LENGTH = 60

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const next = random(Date.now())

async function send(url: string, { method, path, cookie, body }: Write): Promise<{ text: string; cookie: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ text: string; cookie: string }>()
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  request(url + path, { agent, method, headers: { origin: url, cookie, ...type } }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    answer.on('end', () => {
      const given = (answer.headers['set-cookie'] ?? []).map((field) => field.split(';')[0]).join('; ')
      if (answer.statusCode! < 300) resolve({ text, cookie: given })
      else reject(new Error(`${method} ${path} answered ${answer.statusCode} ${text.slice(0, 200)}`))
    })
  })
    .on('error', reject)
    .end(body === undefined ? undefined : JSON.stringify(body))
  return promise
}

let people = 0

export const calls = answerCalls({
  /**
   * Of ten writes six are posts of the visitor, three are posts of the member, and one is the
   * removal of the last of them by the moderator. @returns writes per second, and their times in ms
   */
  async run({ url, threadIds, member, moderator, visitors, seconds }: Mixed) {
    const times: number[] = []
    const until = performance.now() + seconds * 1_000
    const timed = async (write: Write): Promise<{ text: string; cookie: string }> => {
      const start = performance.now()
      const answer = await send(url, write)
      times.push(performance.now() - start)
      return answer
    }
    const visit = async (first: number): Promise<void> => {
      people += 1
      const name = `雲${RUN}${people}`
      let visitor = ''
      let turn = first
      while (performance.now() < until) {
        const threadId = threadIds[turn % threadIds.length]!
        turn += visitors
        const path = `/api/threads/${threadId}/posts`
        for (let post = 0; post < 6; post += 1) {
          const body = { content: japanese(next, TEXT_LENGTH), name }
          const { cookie } = await timed({ method: 'POST', path, cookie: visitor, body })
          if (cookie !== '') visitor = cookie
        }
        let last = ''
        for (let post = 0; post < 3; post += 1) {
          const body = { content: japanese(next, TEXT_LENGTH) }
          const { text } = await timed({ method: 'POST', path, cookie: member, body })
          last = (JSON.parse(text) as { _id: string })._id
        }
        await timed({ method: 'DELETE', path: `/api/admin/posts/${last}?threadId=${threadId}`, cookie: moderator })
      }
    }
    await Promise.all(Array.from({ length: visitors }, (_, index) => visit(index)))
    return { perSecond: times.length / seconds, times }
  },
})
