import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of a test on a free local port. Closing it ends its connections. */
export async function listen(server: Server): Promise<{ readonly port: number; close(): Promise<void> }> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close().closeAllConnections()
      await closed
    },
  }
}
