/**
 * Sockets that count received messages, and one that sends. They are plain ws clients with the few
 * lines of Socket.IO that joining a thread needs, so that receiving costs the same from the board
 * and from the reference.
 */
import { WebSocket } from 'ws'
import { answerCalls } from '../lib/worker.ts'

export interface Crowd {
  readonly url: string
  readonly count: number
  /** The thread to join; null for the reference. */
  readonly threadId: string | null
}

const options = { perMessageDeflate: false }
interface Gathered {
  readonly sender: WebSocket
  readonly readers: number
  delivered: number
  onDelivery: (data: Buffer) => void
}

const crowds = new Map<string, Gathered>()
let sample: string | null = null

/** Opens a socket. On Socket.IO, resolves after the join, and answers pings from then on. */
async function open(url: string, isSocketIo: boolean): Promise<WebSocket> {
  const socket = new WebSocket(
    isSocketIo ? `${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket` : url,
    options,
  )
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.on('error', reject)
  if (isSocketIo) {
    socket.on('message', (data: Buffer) => {
      if (data[0] === 0x32) socket.send('3')
      else if (data[0] === 0x30) socket.send('40')
      else if (data[0] === 0x34 && data[1] === 0x30) resolve()
    })
  } else {
    socket.on('open', () => resolve())
  }
  await promise
  return socket
}

async function openReader({ url, threadId }: Crowd, onDelivery: (data: Buffer) => void): Promise<void> {
  const socket = await open(threadId === null ? `${url}/reader` : url, threadId !== null)
  if (threadId === null) {
    socket.on('message', onDelivery)
    return
  }
  const joined = Promise.withResolvers<void>()
  socket.on('message', (data: Buffer) => {
    // "42[…]" is an event, "430[…]" the acknowledgement of joinThread.
    if (data[0] !== 0x34) return
    if (data[1] === 0x32) {
      sample ??= data.toString()
      onDelivery(data)
    } else if (data[1] === 0x33) joined.resolve()
  })
  socket.send(`420${JSON.stringify(['joinThread', { threadId }])}`)
  await joined.promise
}

export const calls = answerCalls({
  async gather(crowd: Crowd) {
    const isSocketIo = crowd.threadId !== null
    const state: Gathered = {
      sender: await open(isSocketIo ? crowd.url : `${crowd.url}/sender`, isSocketIo),
      readers: crowd.count,
      delivered: 0,
      onDelivery: () => {},
    }
    for (let open = 0; open < crowd.count; open += 50) {
      const batch = Math.min(50, crowd.count - open)
      await Promise.all(
        Array.from({ length: batch }, () =>
          openReader(crowd, (data) => {
            state.delivered += 1
            state.onDelivery(data)
          }),
        ),
      )
    }
    crowds.set(crowd.url, state)
  },

  /** A message as the board sends it, for the reference. */
  sample: () => sample,

  /**
   * Keeps messages in flight; each delivered one is replaced by the next. @returns deliveries per
   * second
   */
  async run({ url, message, inFlight, seconds }: { url: string; message: string; inFlight: number; seconds: number }) {
    const crowd = crowds.get(url)!
    const until = performance.now() + seconds * 1_000
    crowd.delivered = 0
    let sent = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const start = performance.now()
    const next = (): void => {
      const reached = Math.floor(crowd.delivered / crowd.readers)
      if (performance.now() >= until) {
        if (reached === sent) resolve()
        return
      }
      while (sent - reached < inFlight) {
        crowd.sender.send(message)
        sent += 1
      }
    }
    crowd.onDelivery = () => {
      if (crowd.delivered % crowd.readers === 0) next()
    }
    next()
    await promise
    return (crowd.delivered / (performance.now() - start)) * 1_000
  },

  /**
   * Sends at a steady rate to the reference, each message beginning with its timestamp. @returns
   * milliseconds of every delivery
   */
  async pace({ url, text, perSecond, seconds }: { url: string; text: string; perSecond: number; seconds: number }) {
    const crowd = crowds.get(url)!
    const delays: number[] = []
    const total = perSecond * seconds
    const { promise, resolve } = Promise.withResolvers<void>()
    crowd.onDelivery = (data) => {
      const sentAt = BigInt(data.toString('latin1', 0, data.indexOf(' ')))
      delays.push(Number(process.hrtime.bigint() - sentAt) / 1e6)
      if (delays.length === total * crowd.readers) resolve()
    }
    let sent = 0
    const timer = setInterval(() => {
      crowd.sender.send(`${process.hrtime.bigint()} ${text}`)
      sent += 1
      if (sent === total) clearInterval(timer)
    }, 1_000 / perSecond)
    await promise
    return delays
  },
})
