/** /images/: what visitors sent, as files that never change under their name but may be removed. */
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../lib/api-error.ts'
import { PUBLIC_CACHING } from './cached-routes.ts'

/**
 * A browser keeps a picture for good. Caches that many share ask after every one as often as after the posts that show it (304, so its
 * bytes come from them all the same): a removed picture is gone from them as soon as its post.
 */
const IMAGE_CACHING = { ...PUBLIC_CACHING, 'cache-control': 'public, max-age=31536000, immutable, s-maxage=1' }

export async function registerImages(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(
    async (scope) => {
      // A shared cache puts this in the place of the picture.
      scope.setNotFoundHandler((_request, reply) => {
        const refusal = refuse('not_found', 'not_found')
        return reply.code(refusal.status).headers(PUBLIC_CACHING).send(refusal.toAnswer())
      })
      await scope.register(fastifyStatic, {
        root: folder,
        cacheControl: false,
        index: false,
        decorateReply: false,
        schemaHide: true,
        setHeaders: (reply) => void reply.headers(IMAGE_CACHING),
      })
    },
    { prefix: '/images' },
  )
}
