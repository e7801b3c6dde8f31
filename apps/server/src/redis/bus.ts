/**
 * Connects several servers of one board by Redis: invalidation of cached answers, live events of
 * rooms, and shared counters of limits. All data of record is in the database: without Redis each
 * server goes on alone.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { createAdapter } from '@socket.io/redis-streams-adapter'
import type { FastifyBaseLogger } from 'fastify'
import { Redis, type RedisOptions } from 'ioredis'
import { ConfigError } from '../config.ts'
import type { DropTime } from '../http/response-cache.ts'
import { RedisAwayError } from './redis-away-error.ts'

/** Messages between servers, by topic. */
export interface Messages {
  /** Cached answers with any of these tags are stale. */
  drop: { readonly tags: readonly string[]; readonly when: DropTime }
  /** Attempts to write, by category and kind, since the last message. */
  tries: Readonly<Record<string, { readonly post: number; readonly thread: number }>>
  /** Attempts that were admitted. */
  admitted: Readonly<Record<string, { readonly post: number; readonly thread: number }>>
  /**
   * These writers have just written a post or a thread, or their write was undone; used for the
   * cooldown of their next one.
   */
  wrote: { readonly writers: readonly string[]; readonly kind: 'post' | 'thread'; readonly isTakenBack: boolean }
  /** Somebody writes a text with this signature (features/admission/similar-texts.ts). */
  text: { readonly writer: number; readonly rows: readonly number[] }
  /** A text of this writer is held for a moderator: its resends are looked up. */
  held: { readonly writer: string }
}
export type Topic = keyof Messages

export interface Bus {
  /**
   * Publishes to the other servers. Messages that cannot be sent are lost: the others learn that
   * some may be missing, and check for themselves.
   */
  publish<T extends Topic>(topic: T, message: Messages[T]): void
  /** Subscribes to the other servers. */
  subscribe<T extends Topic>(topic: T, listener: (message: Messages[T]) => void): void
  /**
   * Calls back now and on every change whether all recently seen servers receive each other's
   * messages. From a change to false until the next true, messages may be lost.
   */
  watch(listener: (isWhole: boolean) => void): void
  /** For counters. A command without an answer fails after half a second. */
  readonly redis: Redis
  /** Whether Redis has answered recently. */
  isThere(): boolean
  /** For /metrics. */
  stats(): BusStats
  /** Prefix of all keys of this board. */
  readonly prefix: string
  /** The keyed hash by which Redis has what it must not know, such as an address. */
  hide(text: string): string
  /** Lets Socket.IO reach the sockets of the other servers. */
  readonly socketAdapter: ReturnType<typeof createAdapter>
  close(): Promise<void>
}

export interface BusStats {
  /**
   * `whole`: all servers receive each other; `partial`: Redis answers, but a server is missing;
   * `down`: Redis does not answer.
   */
  readonly state: 'whole' | 'partial' | 'down'
  /** Servers seen recently, including this one. */
  readonly servers: number
  /** Number of reconnects to Redis. */
  readonly reconnects: number
  /**
   * Messages on the board's channel, including heartbeats. Live events are separate, in Socket.IO's
   * stream.
   */
  readonly sent: number
  readonly received: number
  /** Round trip of the last message by Redis to this server, in seconds; null before the first. */
  readonly lag: number | null
}

export interface BusOptions {
  readonly url: string
  /** Servers of one board share it; other boards on the same Redis have another one. */
  readonly secret: string
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'debug'>
}

/** Interval of heartbeats; each server receives its own too. */
const BEAT_EVERY_MS = 500
/**
 * A server whose heartbeat did not arrive for this long is missing; this applies to the server
 * itself as well.
 */
const MISSING_AFTER_MS = 2_000
/**
 * A server missing for this long is considered stopped: changes that it did not publish have left
 * every cache by their age (MAX_AGE_MS of the response cache).
 */
const FORGOTTEN_AFTER_MS = 90_000

type Options = Omit<RedisOptions, 'replyMapping'>

/** Publishing and counting must not wait: if Redis is away or silent, they fail. */
const FAILS_FAST: Options = {
  lazyConnect: true,
  enableOfflineQueue: false,
  commandTimeout: 500,
  connectTimeout: 4_000,
  maxRetriesPerRequest: 0,
  retryStrategy: (times) => Math.min(times * 100, 1_000),
}
/** Subscribers reconnect without limit. */
const RECONNECTS: Options = {
  ...FAILS_FAST,
  enableOfflineQueue: true,
  commandTimeout: undefined,
  // A blocked read ends by itself after SOCKET_READ_MS, unless the connection is dead.
  blockingTimeout: 5_000,
  maxRetriesPerRequest: null,
}
const SOCKET_READ_MS = 1_000
/** Events kept in the stream, for servers that were disconnected for a moment. */
const STREAM_LENGTH = 10_000

/**
 * Errors of a Redis that cannot be reached or is starting. Every other one (a wrong password,
 * another service) means a wrong setting.
 */
const AWAY_CODE = /^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EMFILE)/
const AWAY_MESSAGE = /^(LOADING|MASTERDOWN)|timed out|connection (was|is) closed|max number of clients/i

/**
 * Connects. @throws ConfigError when Redis refuses the connection, RedisAwayError when it cannot be
 * reached
 */
export async function openBus({ url, secret, log }: BusOptions): Promise<Bus> {
  const prefix = `shinobi:${createHmac('sha256', secret).update('redis').digest('base64url').slice(0, 12)}:`
  const redis = connection(url, FAILS_FAST)
  const listening = connection(url, RECONNECTS)
  // The cause of a failed connection comes as an event, besides the rejected promise.
  let reason: NodeJS.ErrnoException | null = null
  redis.once('error', (error) => (reason = error))
  const stream = `${prefix}sockets`
  let newest = '0-0'
  try {
    await Promise.all([redis.connect(), listening.connect()])
    for (const [id] of await redis.xrevrange(stream, '+', '-', 'COUNT', 1)) newest = id
  } catch (error) {
    redis.disconnect()
    listening.disconnect()
    const { code = '', message } = reason ?? (error as NodeJS.ErrnoException)
    if (AWAY_CODE.test(code) || AWAY_MESSAGE.test(message)) throw new RedisAwayError(`Redis is away (${message}).`)
    throw new ConfigError(`Setting REDIS_URL cannot be used: Redis did not let us in (${message}).`)
  }
  // The adapter derives its reading connections from the publishing one.
  redis.duplicate = () => readFrom(newest, connection(url, RECONNECTS))
  let reconnects = 0
  redis.on('ready', () => (reconnects += 1))
  listening.on('ready', () => (reconnects += 1))

  const self: string = randomUUID()
  const channel = `${prefix}link`
  const listeners = new Map<Topic, (message: never) => void>()
  const watchers: ((isWhole: boolean) => void)[] = []
  const heardAt = new Map([[self, -Infinity]])
  /**
   * Number of the last message of each other server; also of one that counts as stopped, because a
   * server that was only cut off comes back.
   */
  const lastOf = new Map<string, number>()
  let isWhole = false
  let [sent, received] = [0, 0]
  let lag: number | null = null

  function send(topic: Topic | 'beat' | 'bye', message: unknown): void {
    sent += 1
    redis.publish(channel, JSON.stringify([self, topic, message, sent])).catch((error: unknown) => {
      log.debug({ err: error }, 'could not publish to the other servers')
    })
  }

  function hear(text: string): void {
    const [server, topic, message, number] = JSON.parse(text) as [string, Topic | 'beat' | 'bye', never, number?]
    received += 1
    noticeGap(server, number)
    if (topic === 'beat') {
      const now = performance.now()
      heardAt.set(server, now)
      // A heartbeat contains the time of its sender's clock.
      if (server === self) lag = (now - message) / 1_000
    } else if (server === self) return
    else if (topic === 'bye') {
      heardAt.delete(server)
      lastOf.delete(server)
    } else listeners.get(topic)?.(message)
  }

  /**
   * A break that is too short for a heartbeat to be missing loses messages, too, and so does one
   * after which a server counted as stopped. What was published at the same time may have lost its
   * live events.
   * @param number undefined from an older version
   */
  function noticeGap(server: string, number: number | undefined): void {
    if (server === self || number === undefined) return
    const last = lastOf.get(server)
    lastOf.set(server, number)
    if (last !== undefined && number !== last + 1) tellWatchers(false)
  }

  const isMissing = (at: number): boolean => performance.now() - at > MISSING_AFTER_MS

  /** Checks for missing servers. If there are none, all messages of the others have arrived. */
  function checkForMissing(): void {
    const forgotten = performance.now() - FORGOTTEN_AFTER_MS
    for (const [server, at] of heardAt) if (server !== self && at < forgotten) heardAt.delete(server)
    tellWatchers([...heardAt.values()].every((at) => !isMissing(at)))
  }

  function tellWatchers(whole: boolean): void {
    if (isWhole === whole) return
    isWhole = whole
    if (isWhole) log.info({ servers: heardAt.size }, 'all servers receive the messages of the others')
    else log.warn({ servers: heardAt.size }, 'messages of other servers are missing')
    for (const watcher of watchers) watcher(isWhole)
  }

  listening.on('message', (_channel, text) => {
    try {
      hear(text)
    } catch (error) {
      // Messages of another version, or of another program on this Redis, must not end this
      // process.
      log.warn({ err: error }, 'could not read a message of another server')
    }
    if (!isWhole) checkForMissing()
  })
  await listening.subscribe(channel)
  send('beat', performance.now())
  const timer = setInterval(() => {
    send('beat', performance.now())
    // After messages that arrived meanwhile: a server that was busy itself must not consider others
    // missing.
    setImmediate(checkForMissing)
  }, BEAT_EVERY_MS).unref()

  return {
    publish: send,
    subscribe: (topic, listener) => void listeners.set(topic, listener),
    watch(listener) {
      watchers.push(listener)
      listener(isWhole)
    },
    redis,
    prefix,
    hide: (text) => createHmac('sha256', secret).update(`redis key ${text}`).digest('base64url').slice(0, 22),
    isThere: () => !isMissing(heardAt.get(self)!),
    stats: () => ({
      state: isMissing(heardAt.get(self)!) ? 'down' : isWhole ? 'whole' : 'partial',
      servers: [...heardAt.values()].filter((at) => !isMissing(at)).length,
      ...{ reconnects, sent, received, lag },
    }),
    socketAdapter: createAdapter(redis, {
      ...{ streamName: stream, channelPrefix: stream, onlyPlaintext: true },
      ...{ maxLen: STREAM_LENGTH, blockTimeInMs: SOCKET_READ_MS },
    }),
    async close() {
      clearInterval(timer)
      // Tells the others that this server is not missing but stopped.
      if (redis.status === 'ready') await redis.publish(channel, JSON.stringify([self, 'bye', null])).catch(() => {})
      redis.disconnect()
      listening.disconnect()
    },
  }
}

/**
 * Reads a stream from an event on. The adapter begins at the newest event of each moment (`$`)
 * until it has read one, and so would lose the first if it comes between two reads.
 */
function readFrom(event: string, redis: Redis): Redis {
  const read = redis.xread.bind(redis) as (...args: readonly unknown[]) => ReturnType<Redis['xread']>
  redis.xread = (...args: readonly unknown[]) => read(...args.map((arg) => (arg === '$' ? event : arg)))
  return redis
}

function connection(url: string, options: Options): Redis {
  const redis = new Redis(url, options)
  // Pending commands reject with their own errors, and the heartbeat detects the outage.
  redis.on('error', () => {})
  return redis
}
