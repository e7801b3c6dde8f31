/**
 * What binds several servers of one board together, by way of Redis: which cached answers are out of date, what the people in a room
 * hear, and how often somebody has tried. Nothing of it is the truth, which is in the database: without Redis each server goes on by itself.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { createAdapter } from '@socket.io/redis-streams-adapter'
import type { FastifyBaseLogger } from 'fastify'
import { Redis, type RedisOptions } from 'ioredis'
import { ConfigError } from '../config.ts'
import type { DropTime } from '../http/response-cache.ts'
import { RedisAwayError } from './redis-away-error.ts'

/** What servers tell each other. */
export interface Messages {
  /** Cached answers that show any of these tags are out of date. */
  drop: { readonly tags: readonly string[]; readonly when: DropTime }
  /** Tries to write, by category and kind, since the last message. */
  tries: Readonly<Record<string, { readonly post: number; readonly thread: number }>>
  /** Those of them that were admitted. */
  admitted: Readonly<Record<string, { readonly post: number; readonly thread: number }>>
  /** Under these names somebody has just written a post or a thread, or has not after all; where the next one has to wait. */
  wrote: { readonly writers: readonly string[]; readonly kind: 'post' | 'thread'; readonly isTakenBack: boolean }
}
export type Topic = keyof Messages

export interface Link {
  /** Tells the other servers. What cannot be told is lost: they learn that something may be missing, and look for themselves. */
  tell<T extends Topic>(topic: T, message: Messages[T]): void
  /** Hears the other servers. */
  on<T extends Topic>(topic: T, listener: (message: Messages[T]) => void): void
  /**
   * Calls back now, and whenever it changes, whether all servers that were here lately hear each other. From a moment in which they do not
   * until `whole` is told again, messages may be missing.
   */
  watch(listener: (isWhole: boolean) => void): void
  /** For counting. A command that is not answered in half a second fails. */
  readonly redis: Redis
  /** Whether Redis has answered lately. */
  isThere(): boolean
  /** For /metrics. */
  stats(): LinkStats
  /** Begins all keys of this board. */
  readonly prefix: string
  /** Lets Socket.IO reach the sockets of the other servers. */
  readonly socketAdapter: ReturnType<typeof createAdapter>
  close(): Promise<void>
}

export interface LinkStats {
  /** `whole`: all servers hear each other; `partial`: Redis answers, but a server is missing; `down`: Redis does not answer. */
  readonly state: 'whole' | 'partial' | 'down'
  /** Servers that were heard lately, this one included. */
  readonly servers: number
  /** Times that a connection to Redis was made again. */
  readonly reconnects: number
  /** Messages on the board's channel, heartbeats included. Live events travel beside them, in Socket.IO's stream. */
  readonly sent: number
  readonly received: number
  /** Seconds that the last message took to Redis and back to this server; null before the first. */
  readonly lag: number | null
}

export interface LinkOptions {
  readonly url: string
  /** Servers of one board share it; boards that share a Redis do not. */
  readonly secret: string
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'debug'>
}

/** Each server says that often that it is there, and hears itself. */
const BEAT_EVERY_MS = 500
/** One that was not heard for so long, itself included, is missing. */
const MISSING_AFTER_MS = 2_000
/** A server that is missing for so long has ended: whatever it did not tell has left every cache (MAX_AGE_MS of the response cache). */
const FORGOTTEN_AFTER_MS = 90_000

type Options = Omit<RedisOptions, 'replyMapping'>

/** Who publishes or counts waits for nobody: a Redis that is away, or silent, is told by an error. */
const IMPATIENT: Options = {
  lazyConnect: true,
  enableOfflineQueue: false,
  commandTimeout: 500,
  connectTimeout: 4_000,
  maxRetriesPerRequest: 0,
  retryStrategy: (times) => Math.min(times * 100, 1_000),
}
/** Who listens goes on listening, over as many connections as that takes. */
const PATIENT: Options = {
  ...IMPATIENT,
  enableOfflineQueue: true,
  commandTimeout: undefined,
  // A blocked read ends after SOCKET_READ_MS by itself, unless the line is dead.
  blockingTimeout: 5_000,
  maxRetriesPerRequest: null,
}
const SOCKET_READ_MS = 1_000
/** Events kept in the stream, for servers that were away for a moment. */
const STREAM_LENGTH = 10_000

/** Errors of a Redis that cannot be reached or is just starting. Everything else (a wrong password, another service) is a wrong setting. */
const AWAY_CODE = /^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EMFILE)/
const AWAY_MESSAGE = /^(LOADING|MASTERDOWN)|timed out|connection (was|is) closed|max number of clients/i

/** Connects. @throws ConfigError when Redis does not let us in, RedisAwayError when it cannot be reached */
export async function openLink({ url, secret, log }: LinkOptions): Promise<Link> {
  const prefix = `shinobi:${createHmac('sha256', secret).update('redis').digest('base64url').slice(0, 12)}:`
  const redis = connection(url, IMPATIENT)
  const listening = connection(url, PATIENT)
  // The adapter makes its own connections for listening out of the one for publishing.
  redis.duplicate = () => connection(url, PATIENT)
  // Why it did not come about is told beside the promise.
  let reason: NodeJS.ErrnoException = new Error('the connection was closed')
  redis.once('error', (error) => (reason = error))
  try {
    await Promise.all([redis.connect(), listening.connect()])
  } catch {
    redis.disconnect()
    listening.disconnect()
    const { code = '', message } = reason
    if (AWAY_CODE.test(code) || AWAY_MESSAGE.test(message)) throw new RedisAwayError(`Redis is away (${message}).`)
    throw new ConfigError(`Setting REDIS_URL cannot be used: Redis did not let us in (${message}).`)
  }
  let reconnects = 0
  redis.on('ready', () => (reconnects += 1))
  listening.on('ready', () => (reconnects += 1))

  const self: string = randomUUID()
  const channel = `${prefix}link`
  const listeners = new Map<Topic, (message: never) => void>()
  const watchers: ((isWhole: boolean) => void)[] = []
  const heardAt = new Map([[self, -Infinity]])
  let isWhole = false
  let [sent, received] = [0, 0]
  let lag: number | null = null

  function send(topic: Topic | 'beat' | 'bye', message: unknown): void {
    sent += 1
    redis.publish(channel, JSON.stringify([self, topic, message])).catch((error: unknown) => {
      log.debug({ err: error }, 'could not tell the other servers')
    })
  }

  function hear(text: string): void {
    const [server, topic, message] = JSON.parse(text) as [string, Topic | 'beat' | 'bye', never]
    received += 1
    if (topic === 'beat') {
      const now = performance.now()
      heardAt.set(server, now)
      // A beat carries the time of its sender's clock.
      if (server === self) lag = (now - message) / 1_000
    } else if (server === self) return
    else if (topic === 'bye') heardAt.delete(server)
    else listeners.get(topic)?.(message)
  }

  const isMissing = (at: number): boolean => performance.now() - at > MISSING_AFTER_MS

  /** Who is missing? Nobody: what we hold is as new as the others' words. */
  function callRoll(): void {
    const forgotten = performance.now() - FORGOTTEN_AFTER_MS
    for (const [server, at] of heardAt) if (server !== self && at < forgotten) heardAt.delete(server)
    const missing = [...heardAt.values()].filter(isMissing).length
    if (isWhole === (missing === 0)) return
    isWhole = missing === 0
    if (isWhole) log.info({ servers: heardAt.size }, 'the servers hear each other')
    else log.warn({ missing, servers: heardAt.size }, 'the servers do not all hear each other')
    for (const watcher of watchers) watcher(isWhole)
  }

  listening.on('message', (_channel, text) => {
    try {
      hear(text)
    } catch (error) {
      // A server of another version, or somebody else in this Redis: no word of theirs shall end this process.
      log.warn({ err: error }, 'what another server told is not understood')
    }
    if (!isWhole) callRoll()
  })
  await listening.subscribe(channel)
  send('beat', performance.now())
  const timer = setInterval(() => {
    send('beat', performance.now())
    // After what has arrived meanwhile: a server that was busy itself takes nobody for missing.
    setImmediate(callRoll)
  }, BEAT_EVERY_MS).unref()

  return {
    tell: send,
    on: (topic, listener) => void listeners.set(topic, listener),
    watch(listener) {
      watchers.push(listener)
      listener(isWhole)
    },
    redis,
    prefix,
    isThere: () => !isMissing(heardAt.get(self)!),
    stats: () => ({
      state: isMissing(heardAt.get(self)!) ? 'down' : isWhole ? 'whole' : 'partial',
      servers: [...heardAt.values()].filter((at) => !isMissing(at)).length,
      ...{ reconnects, sent, received, lag },
    }),
    socketAdapter: createAdapter(redis, {
      ...{ streamName: `${prefix}sockets`, channelPrefix: `${prefix}sockets`, onlyPlaintext: true },
      ...{ maxLen: STREAM_LENGTH, blockTimeInMs: SOCKET_READ_MS },
    }),
    async close() {
      clearInterval(timer)
      // The others need not miss us.
      if (redis.status === 'ready') await redis.publish(channel, JSON.stringify([self, 'bye', null])).catch(() => {})
      redis.disconnect()
      listening.disconnect()
    },
  }
}

function connection(url: string, options: Options): Redis {
  const redis = new Redis(url, options)
  // What was under way is told by its own error; who is missing is told by the roll.
  redis.on('error', () => {})
  return redis
}
