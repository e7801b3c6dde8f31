import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

/** Who may make a call, beside everybody: the `access` of its route. */
export const ACCESS_KEY = 'x-access'

/** OpenAPI 3.1 of every registered call, made from the contract: read at /docs, as JSON at /docs/json. */
export async function registerDocs(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: '忍板 API',
        version: '1',
        description: 'Lists are bare arrays; the next page stands in the Link header. Errors are {message, code}.',
      },
      servers: [{ url: publicUrl }],
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route)
      const { access } = route.route.config ?? {}
      return { schema: access === undefined ? schema : { ...schema, [ACCESS_KEY]: access }, url }
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'list', deepLinking: true },
  })
}
