import type { FastifyInstance } from 'fastify'

/**
 * Treats a body of no bytes as missing, even if its type is JSON: many clients send the type with
 * every call, and some calls need no payload (docs/product.md#api). Other bodies are parsed as
 * before, with the protection of prototypes.
 */
export function takeEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parse(request, body as string, done)
  })
}
