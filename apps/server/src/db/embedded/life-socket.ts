/**
 * A unix socket as a sign of life. The kernel closes it with its process, however that ends, and answers on it in every
 * container that has the folder, while process numbers differ between containers.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { SOCKET_PATH_MAX } from './address.ts'

/**
 * Listens on a new socket in the folder.
 * @returns its name; null where there can be none: on Windows, and where the path is too long for a socket
 */
export async function listenOn(folder: string): Promise<{ readonly name: string; close(): void } | null> {
  const name = `owner.${randomBytes(4).toString('hex')}.sock`
  const path = join(folder, name)
  if (process.platform === 'win32' || Buffer.byteLength(path) > SOCKET_PATH_MAX) return null
  // Keeps no process running, and says nothing.
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
    // Anything else, such as too many who wait, comes from a socket that somebody holds.
    return !/^(ECONNREFUSED|ENOENT|ENOTSOCK)$/.test((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    socket.destroy()
  }
}
