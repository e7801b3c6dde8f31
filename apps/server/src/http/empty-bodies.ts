import type { FastifyInstance } from 'fastify'

/**
 * Takes a body of no bytes for none, though it is called JSON: many clients name the type with every call, and SPEC §7 has
 * calls whose payload is empty. Everything else is parsed as before, prototypes guarded.
 */
export function takeEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parse(request, body as string, done)
  })
}
