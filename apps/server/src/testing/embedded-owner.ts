/**
 * A process that runs the embedded database of a folder until SIGTERM, for tests that kill it.
 * Prints the address.
 */
import { pino } from 'pino'
import { startEmbedded } from '../db/embedded/embedded-postgres.ts'

const embedded = await startEmbedded(process.argv[2]!, { connections: 10, log: pino({ level: 'silent' }) })
process.stdout.write(`${embedded.url}\n`)
const stay = setInterval(() => {}, 60_000)
process.once('SIGTERM', () => {
  clearInterval(stay)
  void embedded.close()
})
