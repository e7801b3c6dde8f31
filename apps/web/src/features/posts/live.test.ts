import { POLL_AFTER_MS, SOCKET_RECONNECT_MAX_MS } from '@shinobi/contract/limits'
import type { JoinAck, PostAck } from '@shinobi/contract/events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Renewal } from '../../lib/session-renewal.ts'
import { Connection } from '../../lib/connection.ts'
import type { LiveSocket, SocketEvents } from '../../lib/open-socket.ts'
import { ThreadLive } from './live.ts'
import { makePost, THREAD_ID } from './post-fixtures.ts'

const state = { threadId: THREAD_ID, postCount: 3, revision: 3, recognised: true }

const guest = { name: 'a', isLoggedIn: false }
const member = { name: '月影', isLoggedIn: true }

function setUp() {
  const joins: unknown[] = []
  let events: SocketEvents | undefined
  const socket = {
    connected: false,
    connect: vi.fn(),
    disconnect: vi.fn(),
    join: vi.fn(async (input: unknown): Promise<JoinAck> => {
      joins.push(input)
      return state
    }),
    post: vi.fn<(input: unknown) => Promise<PostAck>>(),
  }
  const ask = ((event, input) =>
    event === 'joinThread' ? socket.join(input) : socket.post(input)) as LiveSocket['ask']
  const store = { hear: vi.fn(), learn: vi.fn(), probe: vi.fn(async () => {}), refresh: vi.fn() }
  const onPostError = vi.fn()
  const onLikes = vi.fn()
  const onNotices = vi.fn()
  const onMissed = vi.fn()
  const renew = vi.fn<() => Promise<Renewal>>(async () => 'renewed')
  const onSessionLost = vi.fn()
  const live = new ThreadLive({
    threadId: THREAD_ID,
    store,
    onPostError,
    onLikes,
    onNotices,
    onMissed,
    onSessionLost,
    connection: new Connection({
      renew,
      openSocket: async (given) => {
        events = given
        return Object.assign(socket, { ask })
      },
    }),
  })
  const connect = async () => {
    await vi.advanceTimersByTimeAsync(0)
    socket.connected = true
    events?.onConnect()
    await vi.advanceTimersByTimeAsync(0)
  }
  const drop = (final = false) => {
    socket.connected = false
    events?.onDisconnect(final)
  }
  return {
    live,
    socket,
    store,
    joins,
    onPostError,
    onLikes,
    onNotices,
    onMissed,
    renew,
    onSessionLost,
    connect,
    drop,
    events: () => events,
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', () => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('every connection joins the thread and receives its position', async () => {
  const { live, joins, store, connect, drop } = setUp()
  live.start({ name: '静かな忍者_k3x9p', isLoggedIn: false })
  await connect()
  expect(live.state().kind).toBe('live')
  drop()
  expect(live.state().kind).toBe('reconnecting')
  await connect()
  expect(joins).toEqual([1, 2].map(() => ({ threadId: THREAD_ID, name: '静かな忍者_k3x9p', isLoggedIn: false })))
  expect(store.learn.mock.calls).toEqual([[state], [state]])
})

test('notices that changed while the connection was lost are asked for when it is back', async () => {
  const { live, onNotices, connect, drop } = setUp()
  live.start(guest)
  await connect()
  expect(onNotices).not.toHaveBeenCalled()
  drop()
  await connect()
  expect(onNotices).toHaveBeenCalledTimes(1)
})

test('likes that changed while the connection was lost are loaded once the thread is joined again', async () => {
  const { live, store, socket, onMissed, connect, drop } = setUp()
  live.start(guest)
  await connect()
  expect(store.refresh).not.toHaveBeenCalled()
  drop()
  socket.join.mockRejectedValueOnce(new Error('timeout'))
  await connect()
  expect(store.refresh).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(SOCKET_RECONNECT_MAX_MS)
  live.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(store.refresh).toHaveBeenCalledTimes(1)
  expect(onMissed).toHaveBeenCalledTimes(1)
})

test('without a socket the page polls until it connects', async () => {
  const { live, store, connect } = setUp()
  live.start(guest)
  await vi.advanceTimersByTimeAsync(POLL_AFTER_MS - 1)
  expect(store.probe).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1 + 2 * POLL_AFTER_MS)
  expect(live.state().kind).toBe('polling')
  expect(store.probe).toHaveBeenCalledTimes(3)
  await connect()
  await vi.advanceTimersByTimeAsync(3 * POLL_AFTER_MS)
  expect(store.probe).toHaveBeenCalledTimes(3)
})

test('waking up checks for new posts even when the socket seems connected', async () => {
  const { live, store, joins, connect } = setUp()
  live.start(guest)
  await connect()
  live.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(store.probe).toHaveBeenCalledTimes(1)
  expect(joins).toHaveLength(2)
})

test('a connection that the server closed is opened again', async () => {
  const { live, socket, connect, drop } = setUp()
  live.start(guest)
  await connect()
  drop(true)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(socket.connect).toHaveBeenCalledTimes(2)
})

test('posts of other threads and posts after leaving are ignored', async () => {
  const { live, store, socket, connect, events } = setUp()
  live.start(guest)
  await connect()
  events()?.onEvent('newPost', { ...makePost(4), threadId: 'other' }, state)
  live.stop()
  events()?.onEvent('newPost', makePost(4), state)
  expect(store.hear).not.toHaveBeenCalled()
  expect(socket.disconnect).toHaveBeenCalled()
})

test('a refusal is reported once: to the sender that waits for the answer, else as an event', async () => {
  const { live, socket, onPostError, connect, events } = setUp()
  live.start(guest)
  await connect()
  const error = { message: '使用できない言葉です', code: 'banned_word' as const }
  socket.post.mockResolvedValue({ error })
  await live.send({ threadId: THREAD_ID, content: 'x', name: 'a', clientPostId: 'mine' })
  events()?.onEvent('postError', { ...error, clientPostId: 'mine' })
  expect(onPostError).not.toHaveBeenCalled()
  events()?.onEvent('postError', error)
  expect(onPostError).toHaveBeenCalledWith(error.message)
})

test('sending without a socket is rejected at once, so that the caller can use HTTP', async () => {
  const { live } = setUp()
  const input = { threadId: THREAD_ID, content: 'x', name: 'a', clientPostId: 'mine' }
  await expect(live.send(input)).rejects.toThrow('no socket')
})

test('a new name joins again with that name', async () => {
  const { live, joins, connect } = setUp()
  live.start({ name: null, isLoggedIn: false })
  await connect()
  live.start(guest)
  live.start(guest)
  await vi.advanceTimersByTimeAsync(0)
  expect(joins).toEqual([
    { threadId: THREAD_ID, isLoggedIn: false },
    { threadId: THREAD_ID, name: 'a', isLoggedIn: false },
  ])
})

test('a connection without this browser’s cookie sends no post, and is reopened once the cookie exists', async () => {
  const { live, socket, joins, connect } = setUp()
  socket.join.mockResolvedValueOnce({ ...state, recognised: false })
  live.start(guest)
  await connect()
  await expect(live.send({ threadId: THREAD_ID, content: 'x', clientPostId: 'mine' })).rejects.toThrow('no socket')
  live.reconnectIfUnrecognised()
  expect(socket.disconnect).toHaveBeenCalledTimes(1)
  await connect()
  expect(joins).toHaveLength(1)
  await live.send({ threadId: THREAD_ID, content: 'x', clientPostId: 'mine' })
  expect(socket.post).toHaveBeenCalledTimes(1)
  live.reconnectIfUnrecognised()
  expect(socket.disconnect).toHaveBeenCalledTimes(1)
})

test('a member joins as a member, and another visitor gets a new connection', async () => {
  const { live, joins, socket, connect } = setUp()
  live.start(member)
  await connect()
  live.stop()
  live.start(guest)
  await connect()
  expect(socket.disconnect).toHaveBeenCalledTimes(1)
  expect(joins).toEqual([member, guest].map((self) => ({ threadId: THREAD_ID, ...self })))
})

test('a connection refused for an expired session is reopened as soon as the session is renewed', async () => {
  const { live, socket, renew, connect, events } = setUp()
  live.start(member)
  await vi.advanceTimersByTimeAsync(0)
  events()?.onRefused('unauthorized')
  await vi.advanceTimersByTimeAsync(0)
  expect(renew).toHaveBeenCalledTimes(1)
  expect(socket.connect).toHaveBeenCalledTimes(2)
  await connect()
  expect(live.state().kind).toBe('live')
})

test('a session refused right after it was renewed is not renewed again and again', async () => {
  const { live, socket, renew, events } = setUp()
  live.start(member)
  await vi.advanceTimersByTimeAsync(0)
  for (let round = 0; round < 3; round += 1) {
    events()?.onRefused('unauthorized')
    await vi.advanceTimersByTimeAsync(0)
  }
  expect(renew).toHaveBeenCalledTimes(1)
  expect(socket.connect).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(socket.connect).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(60_000)
  events()?.onRefused('unauthorized')
  expect(renew).toHaveBeenCalledTimes(2)
})

test('a lost session is reported, and the connection is retried for the current visitor', async () => {
  const { live, socket, renew, onSessionLost, events } = setUp()
  renew.mockResolvedValue('lost')
  live.start(member)
  await vi.advanceTimersByTimeAsync(0)
  events()?.onRefused('unauthorized')
  await vi.advanceTimersByTimeAsync(0)
  expect(onSessionLost).toHaveBeenCalledTimes(1)
  expect(socket.connect).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(socket.connect).toHaveBeenCalledTimes(2)
})

test('a server that cannot check the session now is asked again later', async () => {
  const { live, socket, renew, events } = setUp()
  renew.mockResolvedValueOnce('failed')
  live.start(member)
  await vi.advanceTimersByTimeAsync(0)
  events()?.onRefused('unauthorized')
  await vi.advanceTimersByTimeAsync(5_000)
  events()?.onRefused('unavailable')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(socket.connect).toHaveBeenCalledTimes(3)
})

test('likes of this thread are reported, those of others are not', async () => {
  const { live, onLikes, connect, events } = setUp()
  live.start(guest)
  await connect()
  const change = { threadId: THREAD_ID, likes: { [THREAD_ID]: 3 } }
  events()?.onEvent('likesChanged', change)
  events()?.onEvent('likesChanged', { ...change, threadId: 'other' })
  live.stop()
  events()?.onEvent('likesChanged', change)
  expect(onLikes.mock.calls).toEqual([[change]])
})
