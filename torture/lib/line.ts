/** A TCP line to a server that can be cut, as a network is. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'

/**
 * `silent`: nothing is forwarded, and new connections get no answer. `reset`: all connections are
 * reset, new ones too.
 */
export type Cut = 'silent' | 'reset'

export interface Line {
  /** On 127.0.0.1. */
  readonly port: number
  cut(how: Cut): void
  /** What a silent cut held back is forwarded now, as TCP does by sending again. */
  mend(): void
  close(): Promise<void>
}

/** The two ends of a connection; `far` is missing for one that was opened during a silent cut. */
interface Connection {
  readonly near: Socket
  far?: Socket
}

export async function openLine(host: string, port: number): Promise<Line> {
  let cut: Cut | null = null
  const connections = new Set<Connection>()
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (near) => {
    const connection: Connection = { near }
    connections.add(connection)
    follow(connection, near)
    if (cut === 'reset') near.resetAndDestroy()
    else if (cut === null) reach(connection)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function reach(connection: Connection): void {
    const { near } = connection
    const far = connect({ host, port, allowHalfOpen: true, noDelay: true })
    connection.far = far
    follow(connection, far)
    forward(near, far)
    forward(far, near)
    near.resume()
  }

  /** Not `pipe`, which resumes a paused source by itself. */
  function forward(from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      if (!to.write(chunk)) from.pause()
    })
    to.on('drain', () => {
      if (cut === null) from.resume()
    })
    from.on('end', () => to.end())
  }

  /** The other end learns of a closed one, but not during a silent cut. */
  function follow(connection: Connection, end: Socket): void {
    end.on('error', () => {})
    end.on('close', () => {
      if (cut !== 'silent') drop(connection)
    })
  }

  function drop(connection: Connection): void {
    connections.delete(connection)
    connection.near.destroy()
    connection.far?.destroy()
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut(how) {
      cut = how
      for (const { near, far } of connections) {
        for (const end of [near, far]) {
          if (how === 'silent') end?.pause()
          else end?.resetAndDestroy()
        }
      }
    },
    mend() {
      cut = null
      for (const connection of connections) {
        const { near, far } = connection
        if (near.destroyed || far?.destroyed === true) drop(connection)
        else if (far === undefined) reach(connection)
        else for (const end of [near, far]) end.resume()
      }
    },
    async close() {
      server.close()
      connections.forEach(drop)
      await once(server, 'close')
    },
  }
}
