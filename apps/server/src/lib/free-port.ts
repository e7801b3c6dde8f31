import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that systems give to connections, and to servers that take any: none of them gets the
 * port before the server listens, or while it is down.
 */
const [LOWEST, COUNT] = [20_000, 12_000]

/** A free port of this machine, for a server that cannot choose one by itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + randomInt(COUNT)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') return false
        throw error
      },
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
