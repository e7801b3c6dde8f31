/** Routes that name no action are refused when the server starts. */
import fastify, { type HTTPMethods } from 'fastify'
import { expect } from 'vitest'
import { boardTest as it } from '../testing/fixtures.ts'
import { guardAccess, OPEN_TO_ALL } from './access-guard.ts'

const add = (method: HTTPMethods, url: string, action?: 'decideReports') => () => {
  const app = fastify()
  guardAccess(app, { identify: () => Promise.resolve(null) })
  app.route({ method, url, ...(action === undefined ? {} : { config: { action } }), handler: () => null })
}

it('a route of the administration without an action cannot be added, whatever its method', () => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
    expect(add(method, '/api/admin/secrets')).toThrow(`${method} /api/admin/secrets needs an action`)
    expect(add(method, '/api/admin/secrets', 'decideReports')).not.toThrow()
  }
  expect(add('GET', '/api/administrators')).not.toThrow()
})

it('a route that changes something needs an action, or a reason why it is open to all', () => {
  expect(add('DELETE', '/api/threads/:threadId')).toThrow('DELETE /api/threads/:threadId needs an action')
  expect(add('POST', '/api/threads')).not.toThrow()
  expect(add('GET', '/api/threads/:threadId')).not.toThrow()
})

it('every call that is listed as open to all is a route of the board', ({ board }) => {
  const isRoute = (name: string) => {
    const [method, url] = name.split(' ') as [HTTPMethods, string]
    return board.app.hasRoute({ method, url })
  }
  expect(Object.keys(OPEN_TO_ALL).filter((name) => !isRoute(name))).toEqual([])
})
