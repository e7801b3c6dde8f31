/**
 * The only reader of the environment. Every setting of the server is defined here with its accepted
 * values and its purpose; README.md lists them for operators. An invalid value stops the start with
 * one line that names the setting.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import proxyAddr from '@fastify/proxy-addr'
import { z } from 'zod'
import { email, password, username } from '@shinobi/contract/accounts'
import { PASSWORD, SPAM_POSTS, SPAM_POSTS_PER_ADDRESS, SPAM_WINDOW_MINUTES, USERNAME } from '@shinobi/contract/limits'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const whole = (min: number, max: number, takes = `a whole number from ${min} to ${max}`) =>
  z
    .string()
    .regex(/^\d+$/, takes)
    .transform(Number)
    .refine((value) => value >= min && value <= max, takes)

const httpUrl = (takes: string) =>
  z.url({ protocol: /^https?$/, error: takes }).transform((value) => value.replace(/\/+$/, ''))

/** An address of a whole host, as browsers write it. */
const origin = (takes: string) =>
  z
    .url({ protocol: /^https?$/, error: takes })
    .transform((value) => new URL(value))
    .refine(({ href, origin }) => href === `${origin}/`, takes)
    .transform((url) => url.origin)

const KEEP_DAYS_MAX = 36_500
/** Days to keep something; 0 keeps it for ever. */
const keepDays = (least = 1) => {
  const takes = `0 (for ever), or a whole number of days from ${least} to ${KEEP_DAYS_MAX}`
  return whole(0, KEEP_DAYS_MAX, takes).refine((days) => days === 0 || days >= least, takes)
}

/** Addresses appear in logs and errors, so they must not contain a secret. */
const hasNoCredentials = (url: string): boolean => {
  const { username = '', password = '' } = URL.parse(url) ?? {}
  return username === '' && password === ''
}

/** Prices of a model per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
}

function readPrices(text: string, context: z.RefinementCtx): ReadonlyMap<string, ModelPrice> {
  const prices = new Map<string, ModelPrice>()
  for (const part of text.split(',')) {
    const [, model, input, output] =
      /^\s*(\S+)\s+(\d{1,6}(?:\.\d{1,6})?)\s+(\d{1,6}(?:\.\d{1,6})?)\s*$/.exec(part) ?? []
    if (model === undefined) {
      context.addIssue({ code: 'custom', message: 'prices per million tokens such as `small 0.15 0.6, large 2.5 10`' })
      return z.NEVER
    }
    prices.set(model, { input: Number(input), output: Number(output) })
  }
  return prices
}

const settings = z.object({
  /** Port that the server listens on; 0 selects a free one. */
  PORT: whole(0, 65_535).default(3000),
  /** Address that the server listens on. 0.0.0.0 opens it to the network. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Folder of the embedded database, images and secrets. */
  DATA_DIR: z.string().min(1).default('./data'),
  /**
   * Free space of DATA_DIR in MB below which new pictures are refused; below a quarter of it all
   * texts of visitors too. 0 refuses nothing. 500 leaves room for the embedded PostgreSQL's log
   * (256 MB) and for all concurrent uploads (32, at most a few MB each once stored).
   */
  MIN_FREE_MB: whole(0, 100_000_000).default(500),
  /**
   * Address for visitors, for canonical links and the Origin check; default http://localhost:PORT.
   * Sent to news publishers (User-Agent).
   */
  PUBLIC_URL: origin('an address without a path, such as https://board.example.jp').optional(),
  /** PostgreSQL 15 or newer; without it the server runs an embedded PostgreSQL in DATA_DIR. */
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'an address such as postgres://user:password@host:5432/database')
    .optional(),
  /** A streaming replica of it, for reading data that has not changed lately. */
  DATABASE_REPLICA_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'an address such as postgres://user:password@host:5432/database')
    .optional(),
  /**
   * Connections to PostgreSQL, and as many to its replica; one is used while this server fetches
   * news.
   */
  DATABASE_POOL: whole(2, 200).default(10),
  /**
   * Redis, which connects several processes of one board. Servers on several machines also need the
   * same SESSION_SECRET, DATABASE_URL, and pictures: S3_*, or shared folders DATA_DIR/images and
   * images-hidden.
   */
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\/\S+$/, 'an address such as redis://user:password@host:6379/0')
    .refine((value) => URL.canParse(value), 'an address such as redis://user:password@host:6379/0')
    .optional(),
  /**
   * Processes that serve on this machine, at most one per core; more than one require REDIS_URL.
   */
  WEB_CONCURRENCY: whole(1, 128).default(1),
  /**
   * A process of WEB_CONCURRENCY is killed and replaced when its event loop is blocked for so long.
   * Long enough for a machine that is briefly short of processors or memory; no work of the board
   * blocks the event loop for a second.
   */
  WORKER_TIMEOUT_SECONDS: whole(2, 3_600).default(30),
  /** Signs cookies; at least 32 characters. If unset, generated and stored in DATA_DIR. */
  SESSION_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  /**
   * Reverse proxies in front: true, false, a number of hops, or a comma-separated list of their
   * addresses. With true all of X-Forwarded-For is trusted, so the proxy must replace the value
   * that visitors send.
   */
  TRUST_PROXY: z.string().default('false'),
  /** Origins that may call the API from other sites, comma-separated. */
  CORS_ORIGINS: z.string().default(''),
  /** Mail address on the terms page. Sent to news publishers (User-Agent). */
  CONTACT_EMAIL: z.email('a mail address').optional(),
  /**
   * Push services besides those of the large browsers that notices may be sent to, comma-separated
   * origins. They may be on private addresses, as the operator has named them.
   */
  PUSH_SERVICES: z.string().default(''),
  /**
   * Address of the source code, linked from the About page. Without it the board offers an archive.
   */
  SOURCE_URL: httpUrl('an address such as https://git.example.jp/shinobi-ita').optional(),
  /** Client id of the Google sign-in; without it the button says that it is not available. */
  GOOGLE_CLIENT_ID: z
    .string()
    .regex(/^[\w.-]{1,200}$/, 'the client id of Google Identity Services')
    .optional(),
  /** Address of Google's keys; changed only to test against another provider. */
  GOOGLE_JWKS_URL: httpUrl('an address such as https://www.googleapis.com/oauth2/v3/certs').default(
    'https://www.googleapis.com/oauth2/v3/certs',
  ),
  /**
   * Mail server for password resets and address confirmation; without it the screens name the
   * administrator instead.
   */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'an address such as smtps://user:password@mail.example.jp:465')
    .refine((value) => URL.canParse(value), 'an address such as smtps://user:password@mail.example.jp:465')
    .optional(),
  /** Sender of these mails; default CONTACT_EMAIL. */
  MAIL_FROM: z.email('a mail address').optional(),
  /** The first administrator, created at a start that finds none; all three or none. */
  ADMIN_USERNAME: z
    .string()
    .refine(
      (value) => username.safeParse(value).success,
      `${USERNAME.min} to ${USERNAME.max} characters, none of them @`,
    )
    .optional(),
  ADMIN_EMAIL: z
    .string()
    .refine((value) => email.safeParse(value).success, 'a mail address')
    .optional(),
  ADMIN_PASSWORD: z
    .string()
    .refine((value) => password.safeParse(value).success, `${PASSWORD.min} to ${PASSWORD.max} characters`)
    .optional(),
  /** Badge of the hosting provider in the footer: its text and its link; both or none. */
  HOSTING_BADGE_LABEL: z.string().max(60).optional(),
  HOSTING_BADGE_URL: httpUrl('an address').optional(),
  /** Which post of one visitor within the window is the first to be refused as spam. */
  SPAM_POSTS: whole(1, 1_000_000).default(SPAM_POSTS),
  /**
   * Posts of one IPv4 address within the window; never fewer than SPAM_POSTS. Generous, as a
   * carrier's NAT puts hundreds of people behind one, who may all write in the same live thread.
   */
  SPAM_POSTS_PER_ADDRESS: whole(1, 1_000_000).default(SPAM_POSTS_PER_ADDRESS),
  /** Length of that window in minutes. */
  SPAM_WINDOW_MINUTES: whole(1, 1_440).default(SPAM_WINDOW_MINUTES),
  /** Images one visitor may send in an hour. */
  UPLOADS_PER_HOUR: whole(1, 1_000_000).default(60),
  /**
   * Registration attempts of one address in an hour. Generous, as a carrier's NAT puts many people
   * behind one.
   */
  REGISTRATIONS_PER_HOUR: whole(1, 1_000_000).default(40),
  /**
   * Open sockets of one address (an IPv4 address or an IPv6 /64). Generous, as a carrier's NAT puts
   * many people behind one.
   */
  SOCKETS_PER_ADDRESS: whole(1, 1_000_000).default(500),
  /**
   * Open connections of one address, sockets included; those of loopback and of proxies that
   * TRUST_PROXY names are not counted. Four for each of its sockets: a browser has six at most, and
   * only while it loads a page.
   */
  CONNECTIONS_PER_ADDRESS: whole(1, 1_000_000).default(2_000),
  /**
   * Events that one socket may send in a second, with bursts of three times as many; a person sends
   * a handful a minute.
   */
  SOCKET_EVENTS_PER_SECOND: whole(1, 1_000_000).default(10),
  /**
   * Megabytes of pictures that one visitor may store in a day, after they were shrunk; an address
   * has 4 times as much, an IPv6 /48 16 times. A photograph takes about 0.4.
   */
  IMAGES_MB_PER_DAY: whole(1, 1_000_000).default(200),
  /**
   * Maximum total of all pictures in gigabytes; beyond it pictures are refused and texts accepted.
   * 0 means no maximum: a disk is protected by MIN_FREE_MB, and no default fits both a laptop and a
   * city. Set it with S3_*: a bucket has no limit, and neither has its bill.
   */
  IMAGES_MAX_GB: whole(0, 1_000_000).default(0),
  /**
   * S3-compatible storage for pictures; without it they are in DATA_DIR. All four or none of
   * endpoint, bucket and the two keys.
   */
  S3_ENDPOINT: httpUrl('an address such as https://s3.ap-northeast-1.amazonaws.com')
    .refine(
      hasNoCredentials,
      'an address without a name or password in it; they go into S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    )
    .optional(),
  /** Region in the signature of requests; most servers other than Amazon's accept any. */
  S3_REGION: z
    .string()
    .regex(/^[\w-]{1,60}$/, 'a region such as ap-northeast-1')
    .default('us-east-1'),
  /** Bucket: it must exist, be private, and contain this board alone. */
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{2,62}$/, 'the name of a bucket')
    .optional(),
  /** Access key with the rights to read, write, delete and list in it. */
  S3_ACCESS_KEY_ID: z
    .string()
    .regex(/^\S{1,200}$/, 'the id of a key')
    .optional(),
  S3_SECRET_ACCESS_KEY: z
    .string()
    .regex(/^\S{1,200}$/, "the key's secret")
    .optional(),
  /**
   * A language model for news summaries: any endpoint with OpenAI's protocol (with Ollama
   * http://localhost:11434/v1).
   */
  LLM_BASE_URL: httpUrl('an address such as http://localhost:11434/v1')
    .refine(hasNoCredentials, 'an address without a name or password in it; a key goes into LLM_API_KEY')
    .optional(),
  /** Its API key, if it needs one. */
  LLM_API_KEY: z.string().optional(),
  /** Name of the model at the endpoint; required with LLM_BASE_URL. */
  LLM_MODEL: z.string().max(200).optional(),
  /** Name of the model that verifies each sentence of a summary; LLM_MODEL if unset. */
  LLM_VERIFIER_MODEL: z.string().min(1).max(200).optional(),
  /** Name of the model that finds reports of one event; without it the rules alone find them. */
  LLM_EMBEDDING_MODEL: z.string().min(1).max(200).optional(),
  /** What models cost, for the desk of news: `MODEL INPUT OUTPUT` per million tokens, by commas. */
  LLM_PRICES: z.string().transform(readPrices).optional(),
  /** The currency of these prices. */
  LLM_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, 'a currency of three letters such as USD or JPY')
    .default('USD'),
  /**
   * Whether this server fetches the feeds itself: true or false. `npm run news -- run` does it
   * manually.
   */
  NEWS_SCHEDULE: z.enum(['true', 'false'], { error: 'true or false' }).default('true'),
  /**
   * Whether news may also be fetched from private addresses (an intranet's feeds): true or false.
   * Leave it false on the open network.
   */
  NEWS_PRIVATE_ADDRESSES: z.enum(['true', 'false'], { error: 'true or false' }).default('false'),
  /** Bearer token for /metrics; at least 16 characters. Without it there is no /metrics. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'at least 16 characters of ASCII without spaces')
    .optional(),
  /**
   * Database queries that take longer, in milliseconds, are logged, without their values; 0 logs
   * none.
   */
  SLOW_QUERY_MS: whole(0, 600_000).default(500),
  /** Requests that take longer, in milliseconds, are logged; 0 logs none. */
  SLOW_REQUEST_MS: whole(0, 600_000).default(2_000),
  /**
   * Whether raid mode (結界) rises automatically, unless the settings screen overrides it: true or
   * false.
   */
  SHIELD_AUTOMATIC: z.enum(['true', 'false'], { error: 'true or false' }).default('true'),
  /**
   * Days without a post after which a thread's nicknames are deleted; their first owners are read
   * from the posts again at the next post.
   */
  NICKNAMES_KEEP_DAYS: keepDays().default(365),
  /**
   * Days without a post after which the level of a browser or member is deleted: it begins anew,
   * and counts as new in raid mode.
   */
  VISITORS_KEEP_DAYS: keepDays().default(180),
  /**
   * Days for which a repeated request to open a thread, as after a lost connection, opens no second
   * one.
   */
  REQUESTS_KEEP_DAYS: keepDays().default(30),
  /**
   * Days to keep ended bans, closed cases with their reports, and the details of log entries. At
   * least a week: actions can be undone for a day.
   */
  MODERATION_KEEP_DAYS: keepDays(7).default(365),
  /** Log level: fatal, error, warn, info, debug, trace or silent. */
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: LOG_LEVELS.join(', ') }).default('info'),
})

/** The settings in the form that the server uses. */
export interface Config {
  readonly port: number
  readonly host: string
  /** Absolute path. */
  readonly dataDir: string
  /** 0 means that nothing is refused for lack of space. */
  readonly minFreeBytes: number
  readonly publicUrl: string
  readonly databaseUrl: string | null
  readonly databaseReplicaUrl: string | null
  readonly databasePool: number
  /** Null for a board with a single process. */
  readonly redisUrl: string | null
  readonly webConcurrency: number
  readonly workerTimeoutMs: number
  readonly sessionSecret: string | null
  readonly trustProxy: boolean | number | string[]
  readonly corsOrigins: readonly string[]
  /** Origins of push services that the operator trusts. */
  readonly pushServices: readonly string[]
  readonly contactEmail: string | null
  readonly sourceUrl: string | null
  readonly googleClientId: string | null
  readonly googleJwksUrl: string
  readonly smtpUrl: string | null
  /** Set whenever smtpUrl is set. */
  readonly mailFrom: string | null
  readonly firstAdmin: { readonly username: string; readonly email: string; readonly password: string } | null
  readonly hostingBadge: { readonly label: string; readonly url: string } | null
  readonly spamPosts: number
  readonly spamPostsPerAddress: number
  readonly spamWindowMinutes: number
  readonly uploadsPerHour: number
  readonly registrationsPerHour: number
  readonly socketsPerAddress: number
  readonly connectionsPerAddress: number
  readonly socketEventsPerSecond: number
  readonly imagesMbPerDay: number
  /** Null means no maximum. */
  readonly imagesMaxBytes: number | null
  /** Null for pictures in dataDir. */
  readonly s3: {
    readonly endpoint: string
    readonly region: string
    readonly bucket: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
  } | null
  /** Null for summaries made of the articles' own sentences. */
  readonly llm: {
    readonly baseUrl: string
    readonly apiKey: string | null
    readonly model: string
    readonly verifierModel: string
    /** Null where reports of one event are found by the rules alone. */
    readonly embeddingModel: string | null
  } | null
  /** Null where no prices are known, so that no cost is shown. */
  readonly llmPrices: { readonly currency: string; readonly ofModel: ReadonlyMap<string, ModelPrice> } | null
  readonly newsSchedule: boolean
  readonly newsPrivateAddresses: boolean
  readonly shieldAutomatic: boolean
  /** Null for a server without /metrics. */
  readonly metricsToken: string | null
  readonly slowQueryMs: number
  readonly slowRequestMs: number
  /** Days to keep something; 0 keeps it for ever. */
  readonly keepDays: {
    readonly nicknames: number
    readonly visitors: number
    readonly requests: number
    readonly moderation: number
  }
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

/** An invalid setting; its message is the one line for the operator. */
export class ConfigError extends Error {}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

function toTrustProxy(text: string): boolean | number | string[] {
  if (text === 'true') return true
  if (text === 'false') return false
  if (/^\d+$/.test(text)) return Number(text)
  const proxies = list(text)
  for (const proxy of proxies) {
    try {
      proxyAddr.compile(proxy)
    } catch {
      throw new ConfigError(
        `Setting TRUST_PROXY cannot be used: it takes true, false, a number of hops, or addresses, and "${proxy}" is none.`,
      )
    }
  }
  return proxies
}

/**
 * Reads settings from variables such as `process.env`. Empty values count as unset.
 * @throws ConfigError
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const parsed = settings.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new ConfigError(`Setting ${String(issue.path[0])} cannot be used: it takes ${issue.message}.`)
  }
  const value = parsed.data
  if ((value.HOSTING_BADGE_LABEL === undefined) !== (value.HOSTING_BADGE_URL === undefined)) {
    throw new ConfigError(
      'Setting HOSTING_BADGE_LABEL cannot be used: set both HOSTING_BADGE_LABEL and HOSTING_BADGE_URL, or neither.',
    )
  }
  const { ADMIN_USERNAME: adminName, ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: adminPassword } = value
  const firstAdmin =
    adminName !== undefined && adminEmail !== undefined && adminPassword !== undefined
      ? { username: adminName, email: adminEmail, password: adminPassword }
      : null
  if (firstAdmin === null && (adminName ?? adminEmail ?? adminPassword) !== undefined) {
    throw new ConfigError(
      'Setting ADMIN_USERNAME cannot be used: set all of ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD, or none.',
    )
  }
  const mailFrom = value.MAIL_FROM ?? value.CONTACT_EMAIL ?? null
  if (value.SMTP_URL !== undefined && mailFrom === null) {
    throw new ConfigError('Setting SMTP_URL cannot be used: it requires MAIL_FROM or CONTACT_EMAIL.')
  }
  if ((value.LLM_BASE_URL === undefined) !== (value.LLM_MODEL === undefined)) {
    throw new ConfigError('Setting LLM_BASE_URL cannot be used: set both LLM_BASE_URL and LLM_MODEL, or neither.')
  }
  for (const name of ['LLM_VERIFIER_MODEL', 'LLM_EMBEDDING_MODEL'] as const) {
    if (value[name] === undefined || value.LLM_MODEL !== undefined) continue
    throw new ConfigError(`Setting ${name} cannot be used: it requires LLM_BASE_URL and LLM_MODEL.`)
  }
  if (value.DATABASE_REPLICA_URL !== undefined && value.DATABASE_URL === undefined) {
    throw new ConfigError('Setting DATABASE_REPLICA_URL cannot be used: it requires DATABASE_URL.')
  }
  if (value.WEB_CONCURRENCY > 1 && value.REDIS_URL === undefined) {
    throw new ConfigError('Setting WEB_CONCURRENCY cannot be used: more than one process requires REDIS_URL.')
  }
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = value
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = value
  const s3 =
    endpoint !== undefined && bucket !== undefined && accessKeyId !== undefined && secretAccessKey !== undefined
      ? { endpoint, region: value.S3_REGION, bucket, accessKeyId, secretAccessKey }
      : null
  if (s3 === null && (endpoint ?? bucket ?? accessKeyId ?? secretAccessKey) !== undefined) {
    throw new ConfigError(
      'Setting S3_ENDPOINT cannot be used: set all of S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or none.',
    )
  }
  const readOrigins = (name: 'CORS_ORIGINS' | 'PUSH_SERVICES'): string[] => {
    const origins = list(value[name])
    const wrong = origins.find((origin) => URL.parse(origin)?.origin !== origin)
    if (wrong === undefined) return origins
    throw new ConfigError(
      `Setting ${name} cannot be used: it takes origins such as https://www.example.jp, and "${wrong}" is none.`,
    )
  }
  const hostInUrl =
    value.HOST === '0.0.0.0' || value.HOST === '::' || value.HOST === '127.0.0.1' ? 'localhost' : value.HOST
  const ownUrl = `http://${hostInUrl.includes(':') ? `[${hostInUrl}]` : hostInUrl}:${value.PORT}`
  if (!URL.canParse(ownUrl))
    throw new ConfigError('Setting HOST cannot be used: it takes an address or a host name of this machine.')
  return {
    port: value.PORT,
    host: value.HOST,
    dataDir: resolve(value.DATA_DIR),
    minFreeBytes: value.MIN_FREE_MB * 1_000_000,
    publicUrl: value.PUBLIC_URL ?? ownUrl,
    databaseUrl: value.DATABASE_URL ?? null,
    databaseReplicaUrl: value.DATABASE_REPLICA_URL ?? null,
    databasePool: value.DATABASE_POOL,
    redisUrl: value.REDIS_URL ?? null,
    webConcurrency: value.WEB_CONCURRENCY,
    workerTimeoutMs: value.WORKER_TIMEOUT_SECONDS * 1_000,
    sessionSecret: value.SESSION_SECRET ?? null,
    trustProxy: toTrustProxy(value.TRUST_PROXY),
    corsOrigins: readOrigins('CORS_ORIGINS'),
    pushServices: readOrigins('PUSH_SERVICES'),
    contactEmail: value.CONTACT_EMAIL ?? null,
    sourceUrl: value.SOURCE_URL ?? null,
    googleClientId: value.GOOGLE_CLIENT_ID ?? null,
    googleJwksUrl: value.GOOGLE_JWKS_URL,
    smtpUrl: value.SMTP_URL ?? null,
    mailFrom,
    firstAdmin,
    hostingBadge:
      value.HOSTING_BADGE_LABEL !== undefined && value.HOSTING_BADGE_URL !== undefined
        ? { label: value.HOSTING_BADGE_LABEL, url: value.HOSTING_BADGE_URL }
        : null,
    spamPosts: value.SPAM_POSTS,
    spamPostsPerAddress: value.SPAM_POSTS_PER_ADDRESS,
    spamWindowMinutes: value.SPAM_WINDOW_MINUTES,
    uploadsPerHour: value.UPLOADS_PER_HOUR,
    registrationsPerHour: value.REGISTRATIONS_PER_HOUR,
    socketsPerAddress: value.SOCKETS_PER_ADDRESS,
    connectionsPerAddress: value.CONNECTIONS_PER_ADDRESS,
    socketEventsPerSecond: value.SOCKET_EVENTS_PER_SECOND,
    imagesMbPerDay: value.IMAGES_MB_PER_DAY,
    imagesMaxBytes: value.IMAGES_MAX_GB === 0 ? null : value.IMAGES_MAX_GB * 1_000_000_000,
    s3,
    llm:
      value.LLM_BASE_URL !== undefined && value.LLM_MODEL !== undefined
        ? {
            ...{ baseUrl: value.LLM_BASE_URL, apiKey: value.LLM_API_KEY ?? null, model: value.LLM_MODEL },
            verifierModel: value.LLM_VERIFIER_MODEL ?? value.LLM_MODEL,
            embeddingModel: value.LLM_EMBEDDING_MODEL ?? null,
          }
        : null,
    llmPrices: value.LLM_PRICES === undefined ? null : { currency: value.LLM_CURRENCY, ofModel: value.LLM_PRICES },
    newsSchedule: value.NEWS_SCHEDULE === 'true',
    newsPrivateAddresses: value.NEWS_PRIVATE_ADDRESSES === 'true',
    shieldAutomatic: value.SHIELD_AUTOMATIC === 'true',
    metricsToken: value.METRICS_TOKEN ?? null,
    slowQueryMs: value.SLOW_QUERY_MS,
    slowRequestMs: value.SLOW_REQUEST_MS,
    keepDays: {
      nicknames: value.NICKNAMES_KEEP_DAYS,
      visitors: value.VISITORS_KEEP_DAYS,
      requests: value.REQUESTS_KEEP_DAYS,
      moderation: value.MODERATION_KEEP_DAYS,
    },
    logLevel: value.LOG_LEVEL,
  }
}

/**
 * Reads the environment, with defaults from a file: `envFile`, or `.env` in the working folder if
 * it exists.
 * @throws ConfigError
 */
export function loadConfig(envFile?: string): Config {
  const file = envFile ?? (existsSync('.env') ? '.env' : null)
  if (file !== null) {
    try {
      process.loadEnvFile(file)
    } catch (error) {
      throw new ConfigError(`The file of settings ${file} cannot be read (${(error as Error).message}).`)
    }
  }
  return readConfig(process.env)
}
