import type { FastifyInstance } from 'fastify'

/**
 * Takes a body of no bytes for none, though its type is JSON: many clients send the type with every
 * call, and some calls need no payload (docs/product.md#api). Everything else is parsed as before,
 * with prototypes guarded.
 */
export function takeEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parse(request, body as string, done)
  })
}
