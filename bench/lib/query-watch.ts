/** A relay between server and database that records every statement, to detect repeated queries. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onEnd } from './cleanup.ts'

export interface QueryWatch {
  /** The database's address through the relay. */
  readonly url: string
  /** Statements executed since the last call, each with its parameters in one string. */
  take(): string[]
}

const TYPE_BIND = 'B'.charCodeAt(0)

export async function watchQueries(databaseUrl: string): Promise<QueryWatch> {
  const target = new URL(databaseUrl)
  let seen: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect({ host: target.hostname, port: Number(target.port) })
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    const read = readMessages((type, body) => {
      // Bind contains the names of portal and statement and the parameters: equal bytes are equal
      // queries.
      if (type === TYPE_BIND) seen.push(body.toString('latin1'))
    })
    client.on('data', read)
    client.pipe(database).pipe(client)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  onEnd(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const url = Object.assign(new URL(databaseUrl), { port: String((server.address() as AddressInfo).port) }).href
  return {
    url,
    take() {
      const taken = seen
      seen = []
      return taken
    },
  }
}

/**
 * Splits a client's data into messages: a type byte and a length; the first message has no type.
 */
function readMessages(onMessage: (type: number, body: Buffer) => void): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0)
  let isFirst = true
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const head = isFirst ? 4 : 5
      if (pending.length < head) return
      const length = pending.readInt32BE(head - 4)
      const end = head - 4 + length
      if (pending.length < end) return
      if (!isFirst) onMessage(pending[0]!, pending.subarray(5, end))
      isFirst = false
      pending = pending.subarray(end)
    }
  }
}
