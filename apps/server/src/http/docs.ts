import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Call } from '@shinobi/contract/common'
import { PERMISSIONS } from '@shinobi/contract/permissions'

/** Who may make a call that is not for everybody: `who` of its action. */
export const ACCESS_KEY = 'x-access'

/**
 * Generated once from the routes. The page itself is not cached: the names of its files depend on a
 * slash at the end of its address.
 */
const KEPT: ReadonlySet<string> = new Set(['/docs/json', '/docs/yaml', '/docs/static/swagger-initializer.js'])

/**
 * For this page only: Swagger UI sets inline styles. The page shows nothing that a visitor wrote.
 */
const PAGE_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

type Route = Parameters<typeof jsonSchemaTransform>[0]

/** The body of a call that parses it itself, because an image may be beside its fields. */
function describeForm(route: Route): FastifySchema {
  const { form, consumes = [] } = (route.schema ?? {}) as Partial<Call['schema']>
  if (form === undefined) return {}
  const { body: fields } = jsonSchemaTransform({ ...route, schema: { body: form.fields } }).schema as {
    body: { properties: object }
  }
  const properties = { ...fields.properties, [form.file]: { type: 'string', format: 'binary' } }
  const content = consumes.map((type) => [
    type,
    { schema: type === 'multipart/form-data' ? { ...fields, properties } : fields },
  ])
  return { body: { content: Object.fromEntries(content) } }
}

/** The media types of an answer; errors are JSON in any case. */
function typeAnswer({ produces, response }: FastifySchema): FastifySchema {
  if (produces === undefined) return {}
  const { 200: answer, ...errors } = response as Record<string, { description?: string }>
  const content = Object.fromEntries(produces.map((type) => [type, { schema: answer }]))
  return { produces: [], response: { 200: { description: answer?.description, content }, ...errors } }
}

/**
 * OpenAPI 3.1 of every registered call, generated from the contract: read at /docs, as JSON at
 * /docs/json.
 */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: '忍板 API',
        version: '1',
        description: 'Lists are bare arrays; the next page stands in the Link header. Errors are {message, code}.',
      },
      // Relative, because trying a call under another host name would be a cross-site request.
      servers: [{ url: '/' }],
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route)
      const { action } = route.route.config ?? {}
      const access = action === undefined ? {} : { [ACCESS_KEY]: PERMISSIONS[action].who }
      return { schema: { ...schema, ...describeForm(route), ...typeAnswer(schema), ...access }, url }
    },
  })
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      if (KEPT.has(route.url)) route.config = { ...route.config, cache: { maxStaleMs: 0 } }
    })
    scope.addHook('onRequest', async (request, reply) => {
      if (/^\/docs\/?$/.test(request.routeOptions.url ?? '')) reply.header('content-security-policy', PAGE_POLICY)
    })
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      // Without the badge of an external validator, which would learn of every reader.
      uiConfig: { docExpansion: 'list', deepLinking: true, validatorUrl: null },
    })
  })
}
