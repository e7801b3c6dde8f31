/** Visitors who post over Socket.IO. */
import { io, type Socket } from 'socket.io-client'
import type { ClientToServerEvents, PostAck, ServerToClientEvents } from '@shinobi/contract/events'
import { naturalText } from '../lib/natural-text.ts'
import { japanese, random } from '../lib/text.ts'
import { answerCalls } from '../lib/worker.ts'

/** Every post is another one, because copies by several newcomers are held. */
export interface Texts {
  /** Characters of a post. */
  readonly length: number
  /** Its words: some common ones, those of a language, or none. */
  readonly words: 'common' | 'natural' | 'none'
}

export interface Posting {
  /** Threads of each socket, into which it posts in turn. */
  readonly threads: readonly (readonly string[])[]
  readonly inFlight: number
  readonly warmSeconds: number
  readonly seconds: number
  readonly texts: Texts
}

export interface Pace {
  readonly threadId: string
  readonly perSecond: number
  readonly seconds: number
  readonly texts: Texts
}

/** A nickname belongs to its first user: on a kept board, each run needs new ones. */
const RUN = Date.now().toString(36)

const next = random(Date.now())

function write({ length, words }: Texts): string {
  if (words === 'none') return 'ー'.repeat(length)
  return words === 'natural' ? naturalText(next, length).replaceAll('\n', '。') : japanese(next, length)
}

const sockets: Socket<ServerToClientEvents, ClientToServerEvents>[] = []

const refusalOf = (answer: PostAck): Error | null =>
  'error' in answer ? new Error(`a post was refused: ${answer.error.message}`) : null

export const calls = answerCalls({
  async connect({ url, count }: { url: string; count: number }) {
    while (sockets.length < count) {
      const socket: (typeof sockets)[number] = io(url, {
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
      })
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      socket.once('connect', resolve)
      socket.once('connect_error', reject)
      await promise
      sockets.push(socket)
    }
  },

  /**
   * Keeps posts in flight on every socket. @returns acknowledged posts per second after the
   * warm-up, their number, and times in ms
   */
  async run({ threads, inFlight, warmSeconds, seconds, texts }: Posting) {
    let [all, counted] = [0, 0]
    const times: number[] = []
    const start = performance.now()
    const from = start + warmSeconds * 1_000
    const until = from + seconds * 1_000
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let open = sockets.length * inFlight
    const post = (index: number, turn: number): void => {
      const sentAt = performance.now()
      const mine = threads[index % threads.length]!
      const threadId = mine[turn % mine.length]!
      sockets[index]!.emit('newPost', { threadId, content: write(texts), name: `忍${RUN}${index}` }, (answer) => {
        const refusal = refusalOf(answer)
        if (refusal !== null) return reject(refusal)
        const now = performance.now()
        all += 1
        if (now >= from && now < until) {
          counted += 1
          times.push(now - sentAt)
        }
        if (now < until) return post(index, turn + inFlight)
        open -= 1
        if (open === 0) resolve()
      })
    }
    for (let index = 0; index < sockets.length; index += 1)
      for (let turn = 0; turn < inFlight; turn += 1) post(index, turn)
    await promise
    return { perSecond: counted / seconds, all, times }
  },

  /** Posts at a steady rate, each beginning with its send time (monotonic clock, nanoseconds). */
  async pace({ threadId, perSecond, seconds, texts }: Pace) {
    const total = perSecond * seconds
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let [sent, acknowledged] = [0, 0]
    const timer = setInterval(() => {
      const text = `${process.hrtime.bigint()} ${write(texts)}`
      sockets[sent % sockets.length]!.emit(
        'newPost',
        { threadId, content: text, name: `影${RUN}${sent % sockets.length}` },
        (answer) => {
          const refusal = refusalOf(answer)
          if (refusal !== null) return reject(refusal)
          acknowledged += 1
          if (acknowledged === total) resolve()
        },
      )
      sent += 1
      if (sent === total) clearInterval(timer)
    }, 1_000 / perSecond)
    await promise.finally(() => clearInterval(timer))
    return total
  },

  /**
   * Posts at a steady rate, to the threads in turn. @returns milliseconds until each
   * acknowledgement
   */
  async paceOver({ threadIds, perSecond, seconds, texts }: Omit<Pace, 'threadId'> & { threadIds: readonly string[] }) {
    const total = perSecond * seconds
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const times: number[] = []
    const start = performance.now()
    let sent = 0
    const post = (): void => {
      const due = start + (sent / perSecond) * 1_000
      const threadId = threadIds[sent % threadIds.length]!
      // One name per thread, because a nickname belongs to its first user.
      const socket = sockets[(sent % threadIds.length) % sockets.length]!
      sent += 1
      socket.emit(
        'newPost',
        { threadId, content: write(texts), name: `旅${RUN}${(sent - 1) % threadIds.length}` },
        (answer) => {
          const refusal = refusalOf(answer)
          if (refusal !== null) return reject(refusal)
          times.push(performance.now() - due)
          if (times.length === total) resolve()
        },
      )
    }
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - start) / 1_000) * perSecond) + 1)
      while (sent < due) post()
      if (sent === total) clearInterval(timer)
    }, 1)
    await promise.finally(() => clearInterval(timer))
    return times
  },
})
