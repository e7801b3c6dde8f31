/** /images/: uploaded pictures, as files that never change under their name but may be removed. */
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../lib/api-error.ts'
import { createKeyLimits, tooMany } from '../../lib/key-limit.ts'
import type { ImageBucket, ServedFile } from './image-bucket.ts'
import { keyOfPath, SERVED } from './image-files.ts'
import type { ImageFolder } from './image-folder.ts'
import { PUBLIC_CACHING } from '../../http/cached-routes.ts'
import { answerError, refusalOf } from '../../http/errors.ts'
import { askerOf } from '../../http/visitor.ts'

/**
 * Browsers keep a picture for good. Shared caches revalidate each one as often as its posts (with
 * 304, so that its bytes still come from them): a removed picture leaves them as fast as its post.
 */
const IMAGE_CACHING = { ...PUBLIC_CACHING, 'cache-control': 'public, max-age=31536000, immutable, s-maxage=1' }

export async function registerImages(app: FastifyInstance, files: ImageFolder | ImageBucket): Promise<void> {
  await app.register(
    async (scope) => {
      // It replaces a removed picture in shared caches.
      scope.setNotFoundHandler((_request, reply) => {
        const refusal = refuse('not_found', 'not_found')
        return reply.code(refusal.status).headers(PUBLIC_CACHING).send(refusal.toAnswer())
      })
      if (files.kind === 'bucket') serveBucket(scope, files)
      else await serveFolder(scope, files)
    },
    { prefix: '/images' },
  )
}

/** A condition that does not hold, and a range beyond the end, are answered as by a bucket. */
async function serveFolder(scope: FastifyInstance, { served }: ImageFolder): Promise<void> {
  scope.setErrorHandler((error: FastifyError & { readonly headers?: Record<string, string> }, request, reply) => {
    const { statusCode, headers = {} } = error
    if (statusCode === 412 || statusCode === 416) return reply.code(statusCode).headers(headers).send()
    return answerError(reply, refusalOf(error, request))
  })
  await scope.register(fastifyStatic, {
    root: served,
    cacheControl: false,
    index: false,
    decorateReply: false,
    schemaHide: true,
    setHeaders: (reply) => void reply.headers(IMAGE_CACHING),
  })
}

/**
 * Requests of one source and minute for pictures that do not exist. Each is a call of the storage,
 * which costs time and money. A reader meets one where a picture was just removed, and a carrier's
 * address has hundreds of readers. They are counted and not remembered: a name is random, so it
 * hardly comes twice, and a picture that is restored is served at once.
 */
const MISSING = { points: 1_000, seconds: 60 }

/**
 * Passes conditions and ranges to the storage unchanged, and its answer back. Only names of
 * pictures are served.
 */
function serveBucket(scope: FastifyInstance, bucket: ImageBucket): void {
  // Of this process, as no call of another server may delay a picture.
  const missing = createKeyLimits(null)({ name: 'missingImages', ...MISSING, refusal: tooMany('too_many_requests') })

  /** Counts a request until the picture is found, so that many at once do not pass the limit. */
  async function find(name: string, { method, headers, ip }: FastifyRequest): Promise<ServedFile | null> {
    const asker = askerOf(ip)
    await missing.take(asker)
    let isMissing = false
    try {
      const file = await bucket.serve(name, method === 'HEAD' ? 'HEAD' : 'GET', headers)
      isMissing = file === null
      return file
    } finally {
      if (!isMissing) await missing.giveBack(asker)
    }
  }

  async function serve(request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) {
    const name = request.params['*']
    if (keyOfPath(`${SERVED}/${name}`) === null) return reply.callNotFound()
    const file = await find(name, request)
    if (file === null) return reply.callNotFound()
    reply.code(file.status).headers(file.headers)
    if (file.status < 400) reply.headers(IMAGE_CACHING)
    if (file.status <= 206) reply.type('image/webp')
    return reply.send(file.stream ?? undefined)
  }
  scope.route({ method: ['GET', 'HEAD'], url: '/*', schema: { hide: true }, handler: serve })
}
