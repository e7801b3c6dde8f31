/**
 * Limits the memory and time of bodies that are not forms (those: uploads.ts): one that never ends
 * would stay in memory for as long as its connection.
 */
import type { FastifyInstance } from 'fastify'
import type { ByteBudget } from '../lib/byte-budget.ts'
import { bytesInFlight } from './bytes-in-flight.ts'
import { SAFE_METHODS } from './origins.ts'
import { askerOf } from './visitor.ts'

/**
 * The first bytes of a body cost nothing, so that those of many others never end a request: nearly
 * all texts are shorter.
 */
const SMALL_BYTES = 16 * 1024
/** As for forms: 16 kB a second, for the longest body. */
const WITHIN_MS = 20_000

/** Closes the connection of a client that sends too many bytes at a time, or too slowly. */
export function boundBodies(
  app: FastifyInstance,
  { budget = bytesInFlight, withinMs = WITHIN_MS }: { readonly budget?: ByteBudget; readonly withinMs?: number } = {},
): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { raw, method, headers } = request
    const isForm = /^multipart\//i.test(headers['content-type'] ?? '')
    if (SAFE_METHODS.has(method) || isForm) return done(null, payload)
    const sender = askerOf(request.ip)
    let received = 0
    let held = 0
    const count = ({ length }: Buffer): void => {
      received += length
      const more = Math.max(0, received - SMALL_BYTES) - held
      if (budget.take(sender, more)) held += more
      else raw.destroy()
    }
    const timer = setTimeout(() => raw.destroy(), withinMs).unref()
    // The parser is attached in the same task, so it misses nothing of the flow that this starts.
    raw.on('data', count).once('end', () => clearTimeout(timer))
    reply.raw.once('close', () => {
      clearTimeout(timer)
      raw.off('data', count)
      budget.giveBack(sender, held)
    })
    done(null, payload)
  })
}
