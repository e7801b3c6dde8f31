/**
 * A unix socket that shows whether a process lives. The kernel closes it with its process, however
 * that ends, and it answers in every container with the folder, while process ids differ between
 * containers.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { SOCKET_PATH_MAX } from './address.ts'

/**
 * Listens on a new socket in the folder.
 * @returns its name; null where sockets are impossible: on Windows, and where the path is too long
 */
export async function listenOn(folder: string): Promise<{ readonly name: string; close(): void } | null> {
  const name = `owner.${randomBytes(4).toString('hex')}.sock`
  const path = join(folder, name)
  if (process.platform === 'win32' || Buffer.byteLength(path) > SOCKET_PATH_MAX) return null
  // Keeps no process running, and sends nothing.
  const server = createServer((socket) => socket.destroy()).unref()
  server.listen(path)
  await once(server, 'listening')
  return { name, close: () => void server.close() }
}

/** Whether a process listens on the socket. */
export async function answersOn(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    // Any other error, such as a full backlog, comes from a socket that is in use.
    return !/^(ECONNREFUSED|ENOENT|ENOTSOCK)$/.test((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    socket.destroy()
  }
}
