/**
 * Pictures in a bucket of S3-compatible storage. Only loaded by boards with a bucket. aws4fetch
 * signs the requests; the few calls are plain HTTP. The bucket is in the path rather than in the
 * host name, because every server of this protocol accepts that.
 */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher } from 'undici'
import { messages } from '@shinobi/contract/messages'
import { ApiError } from '../../lib/api-error.ts'
import { keyOfPath, SERVED, AREAS, type FileBody, type ImageFiles, type StoredFile } from './image-files.ts'

export interface BucketOptions {
  /** Address of the storage, without a trailing slash. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface BucketLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** An answer to a request for a served picture. */
export interface ServedFile {
  readonly status: 200 | 206 | 304 | 412 | 416
  /** Header fields about the file, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Null for an answer without a body. */
  readonly stream: Readable | null
}

export interface ImageBucket extends ImageFiles {
  readonly kind: 'bucket'
  /**
   * Answers a GET or HEAD of a served picture, with its conditions and range. Null where it does
   * not exist.
   * @param headers of the request, in lower case
   */
  serve(
    name: string,
    method: 'GET' | 'HEAD',
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<ServedFile | null>
}

/** Connection time-out: a visitor who sends a picture must not wait longer for a silent storage. */
const CONNECT_WITHIN_MS = 3_000
const ANSWER_WITHIN_MS = 8_000
/** Delay before the one retry after a closed connection or a momentary overload. */
const RETRY_AFTER_MS = 100
/**
 * While the storage does not answer at all, calls fail at once for this long after each attempt, so
 * that no queue builds up.
 */
const TRY_AGAIN_AFTER_MS = 1_000
/** Readers on slow lines occupy a connection each. */
const CONNECTIONS_MAX = 512

const CONDITIONS = ['range', 'if-range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since']
const TELLING = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified']

interface Question {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** After the bucket: a path, or a query. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | FileBody
}

export function openImageBucket(options: BucketOptions, log: BucketLog): ImageBucket {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = options
  const agent = new Agent({
    connections: CONNECTIONS_MAX,
    connect: { timeout: CONNECT_WITHIN_MS },
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
  })
  const signingKeys = new Map<string, ArrayBuffer>()
  let failures = 0
  /** Since when it has not answered; null while it does. */
  let awaySince: number | null = null

  async function send({ method, target, headers = {}, body }: Question): Promise<Dispatcher.ResponseData> {
    const url = `${endpoint}/${bucket}${target}`
    const signer = new AwsV4Signer({
      ...{ method, url, region, accessKeyId, secretAccessKey, service: 's3', cache: signingKeys },
      headers: { ...headers, 'x-amz-content-sha256': hashOf(body) },
    })
    const signed = await signer.sign()
    return agent.request({
      ...{ method, origin: signed.url.origin, path: signed.url.pathname + signed.url.search },
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(body !== undefined && { 'content-length': String(Buffer.isBuffer(body) ? body.length : body.bytes) }),
      },
      ...(body !== undefined && { body: Buffer.isBuffer(body) ? body : body.stream }),
    })
  }

  /** Sends the request; one without a stream may be retried. */
  async function ask(question: Question): Promise<Dispatcher.ResponseData> {
    if (awaySince !== null && Date.now() - awaySince < TRY_AGAIN_AFTER_MS) throw unavailable(null)
    const canRepeat = question.body === undefined || Buffer.isBuffer(question.body)
    try {
      const answer = await send(question)
      if (answer.statusCode < 500 || !canRepeat) return answer
      await answer.body.dump()
    } catch (error) {
      // The sender of the stream has failed, not the storage.
      if (!canRepeat && question.body.stream.errored !== null) throw error
      const isSilent = /TIMEOUT/.test(String((error as { code?: unknown }).code))
      if (!canRepeat || isSilent) throw away(error, question)
    }
    await sleep(RETRY_AFTER_MS)
    return send(question).catch((error: unknown) => {
      throw away(error, question)
    })
  }

  /**
   * @param foreseen statuses with a meaning; all others mean that the storage refuses access
   * @throws ApiError unavailable
   */
  async function askFor(question: Question, ...foreseen: number[]): Promise<Dispatcher.ResponseData> {
    const answer = await ask(question)
    if (awaySince !== null) log.info({ bucket }, 'pictures: the storage is back')
    awaySince = null
    if (!foreseen.includes(answer.statusCode)) throw refused(await problemOf(answer), question)
    return answer
  }

  function away(error: unknown, question: Question): ApiError {
    if (awaySince === null) log.warn({ err: error, bucket, call: callOf(question) }, 'pictures: the storage is away')
    awaySince = Date.now()
    return unavailable(error)
  }

  function refused(error: Error, question: Question): ApiError {
    log.error({ err: error, bucket, call: callOf(question) }, 'pictures: the storage refuses')
    return unavailable(error)
  }

  function unavailable(cause: unknown): ApiError {
    failures += 1
    const refusal = new ApiError('unavailable', messages.unavailable, 5)
    refusal.cause = cause
    return refusal
  }

  async function sizeOf(path: string): Promise<number | null> {
    const answer = await askFor({ method: 'HEAD', target: `/${path}` }, 200, 404)
    await answer.body.dump()
    return answer.statusCode === 404 ? null : Number(answer.headers['content-length'])
  }

  async function deleteFile(path: string): Promise<void> {
    const answer = await askFor({ method: 'DELETE', target: `/${path}` }, 200, 204, 404)
    await answer.body.dump()
  }

  return {
    kind: 'bucket',
    async put(path, body) {
      const headers = { 'content-type': 'image/webp' }
      const answer = await askFor({ method: 'PUT', target: `/${path}`, headers, body }, 200)
      await answer.body.dump()
    },
    async get(path) {
      const answer = await askFor({ method: 'GET', target: `/${path}` }, 200, 404)
      if (answer.statusCode === 200) return { bytes: Number(answer.headers['content-length']), stream: answer.body }
      await answer.body.dump()
      return null
    },
    async remove(path) {
      const bytes = await sizeOf(path)
      if (bytes === null) return 0
      await deleteFile(path)
      return bytes
    },
    async move(name, from, to) {
      const bytes = await sizeOf(`${from}/${name}`)
      if (bytes === null) return
      const headers = { 'x-amz-copy-source': `/${bucket}/${from}/${name}` }
      const question = { method: 'PUT', target: `/${to}/${name}`, headers } as const
      const answer = await askFor(question, 200, 404)
      await answer.body.dump()
      if (answer.statusCode === 404) return
      // A copy that fails half way has answered 200 already, and a server without copying treats
      // the request as an empty file.
      if ((await sizeOf(`${to}/${name}`)) !== bytes) throw refused(new Error('the copy is not whole'), question)
      await deleteFile(`${from}/${name}`)
    },
    async *list(after = '') {
      for (const area of AREAS) {
        const prefix = `${area}/`
        if (after > prefix && !after.startsWith(prefix)) continue
        const query = new URLSearchParams({ prefix, 'list-type': '2', 'encoding-type': 'url' })
        if (after.startsWith(prefix)) query.set('start-after', after)
        for (let next: string | null = ''; next !== null;) {
          if (next !== '') query.set('continuation-token', next)
          const answer = await askFor({ method: 'GET', target: `?${query}` }, 200)
          const page = readList(await answer.body.text())
          yield* page.files
          next = page.next
        }
      }
    },
    async serve(name, method, headers) {
      const conditions = CONDITIONS.flatMap((condition) => {
        const value = headers[condition]
        return typeof value === 'string' ? [[condition, value] as const] : []
      })
      const question = { method, target: `/${SERVED}/${name}`, headers: Object.fromEntries(conditions) }
      const answer = await askFor(question, 200, 206, 304, 404, 412, 416)
      const { statusCode: status } = answer
      if (status === 404) {
        await answer.body.dump()
        return null
      }
      const telling = TELLING.flatMap((header) => {
        const value = answer.headers[header]
        return typeof value === 'string' ? [[header, value] as const] : []
      })
      const file = { status: status as ServedFile['status'], headers: Object.fromEntries(telling) }
      if (method === 'GET' && status <= 206) return { ...file, stream: answer.body }
      await answer.body.dump()
      return { ...file, stream: null }
    },
    failures: () => failures,
    close: () => agent.destroy(),
  }
}

/** The hash of a stream is unknown before it is sent. */
const hashOf = (body: Question['body']): string =>
  body === undefined || Buffer.isBuffer(body)
    ? createHash('sha256')
        .update(body ?? '')
        .digest('hex')
    : 'UNSIGNED-PAYLOAD'

/** For the log, where all calls of a kind share one line. */
const callOf = ({ method, target }: Question): string => `${method} ${target.replace(/[/?][^/]*$/, '') || 'list'}`

async function problemOf({ statusCode, body }: Dispatcher.ResponseData): Promise<Error> {
  const said = await text(body).catch(() => '')
  return new Error(`the storage answered ${statusCode} ${codeOf(said) ?? ''}`.trimEnd())
}

const codeOf = (xml: string): string | undefined => /<Code>([^<]+)<\/Code>/.exec(xml)?.[1]

/**
 * One page of a listing. Names are URL-encoded, so that none of their characters has a meaning in
 * XML.
 */
function readList(xml: string): { readonly files: readonly StoredFile[]; readonly next: string | null } {
  const files = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry]) => {
    const path = decodeURIComponent(valueOf(entry!, 'Key').replaceAll('+', ' '))
    const [bytes, modifiedAt] = [Number(valueOf(entry!, 'Size')), Date.parse(valueOf(entry!, 'LastModified'))]
    return { path, key: keyOfPath(path), bytes, modifiedAt }
  })
  const isWhole = valueOf(xml, 'IsTruncated') !== 'true'
  return { files, next: isWhole ? null : unescapeXml(valueOf(xml, 'NextContinuationToken')) }
}

function valueOf(xml: string, element: string): string {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)
  if (found === null) throw new Error(`the storage's list has no ${element}`)
  return found[1]!
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescapeXml = (value: string): string => value.replaceAll(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole)
