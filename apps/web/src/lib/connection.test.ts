import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Connection } from './connection.ts'
import type { LiveSocket, SocketEvents } from './open-socket.ts'

let page: EventTarget
const show = (state: 'visible' | 'hidden') => {
  Object.assign(document, { visibilityState: state })
  document.dispatchEvent(new Event('visibilitychange'))
}

function setUp() {
  const opened: { socket: LiveSocket & { connected: boolean }; events: SocketEvents }[] = []
  const renew = vi.fn(async () => 'renewed' as const)
  const connection = new Connection({
    renew,
    openSocket: async (events) => {
      const socket = {
        connected: false,
        connect: vi.fn(() => {
          socket.connected = true
          events.onConnect()
        }),
        disconnect: vi.fn(() => {
          if (!socket.connected) return
          socket.connected = false
          events.onDisconnect(true)
        }),
        ask: vi.fn() as LiveSocket['ask'],
      }
      opened.push({ socket, events })
      return socket
    },
  })
  return { connection, opened, renew }
}

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('two listeners share one socket, which closes after the second has stopped', async () => {
  const { connection, opened } = setUp()
  const stops = [connection.listen({}), connection.listen({})]
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.connected).toBe(true)
  stops[0]?.()
  stops[0]?.()
  expect(connection.connected).toBe(true)
  stops[1]?.()
  expect(connection.connected).toBe(false)
  expect(opened).toHaveLength(1)
})

test('a listener added after the last has stopped opens a new socket, and events of the old one are ignored', async () => {
  const { connection, opened } = setUp()
  connection.listen({})()
  const queueChanged = vi.fn()
  connection.listen({ queueChanged })
  await vi.advanceTimersByTimeAsync(0)
  expect(opened).toHaveLength(2)
  expect(opened[0]?.socket.connected).toBe(false)
  opened[0]?.events.onEvent('queueChanged')
  expect(queueChanged).not.toHaveBeenCalled()
  opened[1]?.events.onEvent('queueChanged')
  expect(queueChanged).toHaveBeenCalledTimes(1)
})

test('each listener receives the events it handles, and none after it has stopped', async () => {
  const { connection, opened } = setUp()
  const queueChanged = vi.fn()
  const noticesChanged = vi.fn()
  const stop = connection.listen({ queueChanged })
  connection.listen({ noticesChanged })
  await vi.advanceTimersByTimeAsync(0)
  opened[0]?.events.onEvent('queueChanged')
  opened[0]?.events.onEvent('noticesChanged')
  stop()
  opened[0]?.events.onEvent('queueChanged')
  expect([queueChanged.mock.calls.length, noticesChanged.mock.calls.length]).toEqual([1, 1])
})

test('a hidden page that is suspended closes its socket, and opens it when it is visible again', async () => {
  const { connection, opened } = setUp()
  const onWake = vi.fn()
  connection.listen({ onWake })
  await vi.advanceTimersByTimeAsync(0)
  show('hidden')
  page.dispatchEvent(new Event('pagehide'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(connection.connected).toBe(false)
  show('visible')
  expect(connection.connected).toBe(true)
  expect(onWake).toHaveBeenCalledTimes(1)
  expect(opened).toHaveLength(1)
})

test('a socket that the server has closed reconnects after a delay', async () => {
  const { connection, opened } = setUp()
  connection.listen({})
  await vi.advanceTimersByTimeAsync(0)
  opened[0]?.socket.disconnect()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(connection.connected).toBe(true)
})

test('an expired session is renewed again a minute later, also when the clock was set back', async () => {
  const { connection, opened, renew } = setUp()
  connection.listen({})
  await vi.advanceTimersByTimeAsync(0)
  const refuse = async () => {
    opened[0]?.events.onRefused('unauthorized')
    await vi.advanceTimersByTimeAsync(0)
  }
  await refuse()
  await refuse()
  expect(renew).toHaveBeenCalledTimes(1)
  vi.setSystemTime(Date.now() - 3_600_000)
  await vi.advanceTimersByTimeAsync(60_000)
  await refuse()
  expect(renew).toHaveBeenCalledTimes(2)
})
