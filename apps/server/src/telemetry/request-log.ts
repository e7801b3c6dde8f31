/** Lines that are logged on behalf of a request carry its id, wherever in the code they are written. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'

const logs = new AsyncLocalStorage<FastifyBaseLogger>()

/** Does work on behalf of a request, whose own log is given. */
export const runInRequest = (log: FastifyBaseLogger, work: () => void): void => logs.run(log, work)

/** The server's log, whose lines go to the log of the request on whose behalf they are written, if there is one. */
export const logOfRequests = (root: FastifyBaseLogger): FastifyBaseLogger =>
  new Proxy(root, {
    get(_, key) {
      const log = logs.getStore() ?? root
      const value: unknown = Reflect.get(log, key)
      return typeof value === 'function' ? (value.bind(log) as unknown) : value
    },
  })
