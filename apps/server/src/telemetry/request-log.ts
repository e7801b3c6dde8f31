/**
 * Log lines that are written during a request carry its id, wherever in the code they are written.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'

const logs = new AsyncLocalStorage<FastifyBaseLogger>()

/** Runs work in the context of a request with its own log. */
export const runInRequest = (log: FastifyBaseLogger, work: () => void): void => logs.run(log, work)

/**
 * A log whose lines go to the log of the current request, if there is one, else to the server's.
 */
export const logOfRequests = (root: FastifyBaseLogger): FastifyBaseLogger =>
  new Proxy(root, {
    get(_, key) {
      const log = logs.getStore() ?? root
      const value: unknown = Reflect.get(log, key)
      return typeof value === 'function' ? (value.bind(log) as unknown) : value
    },
  })
