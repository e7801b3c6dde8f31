import { POLL_AFTER_MS } from '@shinobi/contract/limits'
import type { JoinAck } from '@shinobi/contract/events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Renewal } from '../../lib/session-renewal.ts'
import { ThreadLive } from './live.ts'
import type { LiveSocket, SocketEvents } from './open-socket.ts'
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
    post: vi.fn<LiveSocket['post']>(),
  }
  const store = { hear: vi.fn(), learn: vi.fn(), probe: vi.fn(async () => {}) }
  const onPostError = vi.fn()
  const onLikes = vi.fn()
  const onNotices = vi.fn()
  const renew = vi.fn<() => Promise<Renewal>>(async () => 'renewed')
  const onSessionLost = vi.fn()
  const live = new ThreadLive({
    threadId: THREAD_ID,
    store,
    onPostError,
    onLikes,
    onNotices,
    renew,
    onSessionLost,
    openSocket: async (given) => {
      events = given
      return socket
    },
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
  return { live, socket, store, joins, onPostError, onLikes, renew, onSessionLost, connect, drop, events: () => events }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('every connection joins the thread and learns where it stands', async () => {
  const { live, joins, store, connect, drop } = setUp()
  live.start({ name: '静かな忍者_k3x9p', isLoggedIn: false })
  await connect()
  expect(live.link().kind).toBe('live')
  drop()
  expect(live.link().kind).toBe('reconnecting')
  await connect()
  expect(joins).toEqual([1, 2].map(() => ({ threadId: THREAD_ID, name: '静かな忍者_k3x9p', isLoggedIn: false })))
  expect(store.learn.mock.calls).toEqual([[state], [state]])
})

test('without a socket the page polls until there is one', async () => {
  const { live, store, connect } = setUp()
  live.start(guest)
  await vi.advanceTimersByTimeAsync(POLL_AFTER_MS - 1)
  expect(store.probe).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1 + 2 * POLL_AFTER_MS)
  expect(live.link().kind).toBe('polling')
  expect(store.probe).toHaveBeenCalledTimes(3)
  await connect()
  await vi.advanceTimersByTimeAsync(3 * POLL_AFTER_MS)
  expect(store.probe).toHaveBeenCalledTimes(3)
})

test('waking asks for news even when the socket seems well', async () => {
  const { live, store, joins, connect } = setUp()
  live.start(guest)
  await connect()
  live.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(store.probe).toHaveBeenCalledTimes(1)
  expect(joins).toHaveLength(2)
})

test('a server that hangs up for good is called again', async () => {
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
  events()?.onPost({ ...makePost(4), threadId: 'other' }, state)
  live.stop()
  events()?.onPost(makePost(4), state)
  expect(store.hear).not.toHaveBeenCalled()
  expect(socket.disconnect).toHaveBeenCalled()
})

test('a refusal is told once: to whoever waits for the answer, else as an event', async () => {
  const { live, socket, onPostError, connect, events } = setUp()
  live.start(guest)
  await connect()
  const error = { message: '使用できない言葉です', code: 'banned_word' as const }
  socket.post.mockResolvedValue({ error })
  await live.send({ threadId: THREAD_ID, content: 'x', name: 'a', clientPostId: 'mine' })
  events()?.onPostError({ ...error, clientPostId: 'mine' })
  expect(onPostError).not.toHaveBeenCalled()
  events()?.onPostError(error)
  expect(onPostError).toHaveBeenCalledWith(error.message)
})

test('sending without a socket is refused at once, so that HTTP can take over', async () => {
  const { live } = setUp()
  const input = { threadId: THREAD_ID, content: 'x', name: 'a', clientPostId: 'mine' }
  await expect(live.send(input)).rejects.toThrow('no socket')
})

test('another name joins again under it', async () => {
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

test('a connection that the server does not know as this browser’s carries no post, and is made anew once it can be', async () => {
  const { live, socket, joins, connect } = setUp()
  socket.join.mockResolvedValueOnce({ ...state, recognised: false })
  live.start(guest)
  await connect()
  await expect(live.send({ threadId: THREAD_ID, content: 'x', clientPostId: 'mine' })).rejects.toThrow('no socket')
  live.introduce()
  expect(socket.disconnect).toHaveBeenCalledTimes(1)
  await connect()
  expect(joins).toHaveLength(1)
  await live.send({ threadId: THREAD_ID, content: 'x', clientPostId: 'mine' })
  expect(socket.post).toHaveBeenCalledTimes(1)
  live.introduce()
  expect(socket.disconnect).toHaveBeenCalledTimes(1)
})

test('a member joins as one, and somebody else gets a line of their own', async () => {
  const { live, joins, socket, connect } = setUp()
  live.start(member)
  await connect()
  live.stop()
  live.start(guest)
  await connect()
  expect(socket.disconnect).toHaveBeenCalledTimes(1)
  expect(joins).toEqual([member, guest].map((self) => ({ threadId: THREAD_ID, ...self })))
})

test('a line refused for an expired session is opened again as soon as the session is renewed', async () => {
  const { live, socket, renew, connect, events } = setUp()
  live.start(member)
  await vi.advanceTimersByTimeAsync(0)
  events()?.onRefused('unauthorized')
  await vi.advanceTimersByTimeAsync(0)
  expect(renew).toHaveBeenCalledTimes(1)
  expect(socket.connect).toHaveBeenCalledTimes(2)
  await connect()
  expect(live.link().kind).toBe('live')
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

test('a session that is lost is told, and the line is tried again for whoever is here then', async () => {
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

test('a server that cannot tell who it is now is asked again later', async () => {
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

test('likes of this thread are told, those of others are not', async () => {
  const { live, onLikes, connect, events } = setUp()
  live.start(guest)
  await connect()
  const change = { threadId: THREAD_ID, likes: { [THREAD_ID]: 3 } }
  events()?.onLikes(change)
  events()?.onLikes({ ...change, threadId: 'other' })
  live.stop()
  events()?.onLikes(change)
  expect(onLikes.mock.calls).toEqual([[change]])
})
