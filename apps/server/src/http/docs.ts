import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

/** Who may make a call, beside everybody: the `access` of its route. */
export const ACCESS_KEY = 'x-access'

/** Made once from the routes. The page is not among them: it names its files by whether its address ends in a stroke. */
const KEPT: ReadonlySet<string> = new Set(['/docs/json', '/docs/yaml', '/docs/static/swagger-initializer.js'])

/** Of the page alone: Swagger UI sets styles on what it draws. It shows nothing that a visitor wrote. */
const PAGE_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** OpenAPI 3.1 of every registered call, made from the contract: read at /docs, as JSON at /docs/json. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: '忍板 API',
        version: '1',
        description: 'Lists are bare arrays; the next page stands in the Link header. Errors are {message, code}.',
      },
      // Whatever name the board is read under: trying a call from elsewhere would be one of another site.
      servers: [{ url: '/' }],
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route)
      const { access } = route.route.config ?? {}
      return { schema: access === undefined ? schema : { ...schema, [ACCESS_KEY]: access }, url }
    },
  })
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      if (KEPT.has(route.url)) route.config = { ...route.config, cache: { patience: 0 } }
    })
    scope.addHook('onRequest', async (request, reply) => {
      if (/^\/docs\/?$/.test(request.routeOptions.url ?? '')) reply.header('content-security-policy', PAGE_POLICY)
    })
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      // Without the badge of a validator elsewhere, which would be told of every reader.
      uiConfig: { docExpansion: 'list', deepLinking: true, validatorUrl: null },
    })
  })
}
