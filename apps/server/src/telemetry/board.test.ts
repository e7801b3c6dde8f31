import { AggregatorRegistry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  connectTo,
  enter,
  openBoard,
  send,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type LiveClient,
} from '../testing/board.ts'
import { METRICS_TOKEN, readScrape, scrape } from '../testing/scrape.ts'

describe('/metrics of a board', () => {
  let board: Board
  beforeAll(async () => {
    board = await openBoard({
      ...{ METRICS_TOKEN, SOCKET_EVENTS_PER_SECOND: '1', SOCKETS_PER_ADDRESS: '1' },
      CORS_ORIGINS: 'https://friend.example',
    })
  })
  afterAll(() => board.close())

  /** The increase of each of these metrics by an action. */
  async function growth(names: readonly string[], act: () => Promise<unknown>): Promise<Record<string, number>> {
    const before = await scrape(board)
    await act()
    const after = await scrape(board)
    return Object.fromEntries(names.map((name) => [name, after.figures.get(name)! - (before.figures.get(name) ?? 0)]))
  }

  it('has the duration of requests by the pattern of their route', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    const route = 'method="POST",route="/api/threads/:threadId/posts"'
    const ok = `shinobi_request_seconds_count{${route},status="2xx"}`
    const refused = `shinobi_request_seconds_count{${route},status="4xx"}`
    const grown = await growth([ok, refused], async () => {
      await writeTo(guest, thread, 'こんばんは')
      await writeTo(guest, thread, '月が綺麗ですね')
      await guest.post(`/api/threads/${thread._id}/posts`, { content: '' })
    })
    expect(grown).toEqual({ [ok]: 2, [refused]: 1 })
    const { figures } = await scrape(board)
    expect([...figures.keys()].join('\n')).not.toContain(thread._id)
    // The slowest of all requests is in the last bucket.
    expect(figures.get(`shinobi_request_seconds_bucket{le="+Inf",${route},status="2xx"}`)).toBe(2)
  })

  it('counts no write that the read-only mode refuses among the failures of the board', async () => {
    const admin = await signUp(board, undefined, { isAdmin: true })
    const guest = visit(board)
    const thread = await startThread(guest)
    const route = 'method="POST",route="/api/threads/:threadId/posts"'
    const [paused, failed] = ['paused', '5xx'].map(
      (status) => `shinobi_request_seconds_count{${route},status="${status}"}`,
    )
    expect((await admin.put('/api/admin/settings', { readOnly: true })).status).toBe(200)
    expect((await guest.post(`/api/threads/${thread._id}/posts`, { content: 'あとで' })).status).toBe(503)
    const { figures } = await scrape(board)
    expect([figures.get(paused!), figures.get(failed!)]).toEqual([1, undefined])
    expect((await admin.put('/api/admin/settings', { readOnly: false })).status).toBe(200)
  })

  it('counts hits of the cache, which no route has seen', async () => {
    const guest = visit(board)
    await guest.get('/api/categories')
    const outcomes = ['hit', 'miss', 'personal'].map((outcome) => `shinobi_cache_answers_total{outcome="${outcome}"}`)
    const routed = 'shinobi_request_seconds_count{method="GET",route="/api/categories",status="2xx"}'
    const grown = await growth([...outcomes, routed], async () => {
      await guest.get('/api/categories')
      await guest.get('/api/categories')
      await guest.get('/api/threads?limit=7')
      await guest.get('/api/categories', { origin: 'https://friend.example' })
    })
    expect(Object.values(grown)).toEqual([2, 1, 1, expect.any(Number)])
    const { figures } = await scrape(board)
    expect(figures.get('shinobi_cache_entries')).toBeGreaterThanOrEqual(2)
    expect(figures.get('shinobi_cache_bytes')).toBeGreaterThan(1_000)
  })

  it('counts live connections, their events by known names, and refused connections', async () => {
    const thread = await startThread(visit(board))
    const url = await board.listen()
    const names = [
      'shinobi_sockets',
      'shinobi_rooms',
      'shinobi_socket_events_total{event="joinThread"}',
      'shinobi_socket_events_total{event="newPost"}',
      'shinobi_socket_events_total{event="unknown"}',
      'shinobi_socket_events_refused_total',
      'shinobi_handshakes_refused_total{reason="address"}',
      'shinobi_broadcasts_total{event="newPost"}',
    ]
    const sockets: LiveClient[] = []
    const grown = await growth(names, async () => {
      const socket = await connectTo(url)
      sockets.push(socket)
      await enter(socket, thread._id)
      await send(socket, { threadId: thread._id, content: '影より', name: '名無しの忍者' })
      // A burst of three is accepted, and the board's clock stands still.
      ;(socket.emit as (name: string) => void).call(socket, 'constructor')
      expect(await enter(socket, thread._id)).toMatchObject({ error: { code: 'too_many_requests' } })
      await expect(connectTo(url)).rejects.toThrow('websocket error')
    })
    for (const socket of sockets) socket.disconnect()
    expect(Object.values(grown)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })

  it('has the lengths of queues, and the sizes of written batches', async () => {
    const kaede = await signUp(board)
    const thread = await startThread(kaede)
    const grouped = ['posts', 'thread_likes'].map((of) => `shinobi_grouped_total{of="${of}"}`)
    const grown = await growth(grouped, async () => {
      await writeTo(kaede, thread, '一')
      await writeTo(kaede, thread, '二')
      await kaede.post(`/api/threads/${thread._id}/like`)
    })
    expect(Object.values(grown)).toEqual([2, 1])
    await board.settle()
    const { figures } = await scrape(board)
    const queues = ['posts', 'thread_likes', 'post_likes', 'like_news', 'search', 'ranking', 'background']
    expect(queues.map((queue) => figures.get(`shinobi_waiting{queue="${queue}"}`))).toEqual(queues.map(() => 0))
  })

  it('has the state of the database and the event loop', async () => {
    const count = 'shinobi_database_query_seconds_count'
    expect((await growth([count], () => startThread(visit(board))))[count]).toBeGreaterThan(0)
    const busy = (await scrape(board)).figures.get('shinobi_event_loop_utilization')
    expect(busy).toBeGreaterThan(0)
    expect(busy).toBeLessThanOrEqual(1)
  })

  it('and the log contain no value of a query, because statements have none in their text', async () => {
    const texts: string[] = []
    const stop = board.database.activity.watch(({ text }) => texts.push(text))
    const guest = visit(board, '198.51.100.9')
    const thread = await startThread(guest, { title: '密書の題', content: '密書の中身' })
    await writeTo(guest, thread, '密書の返事', '密使')
    await signUp(board, '密偵')
    await guest.post('/auth/login', { username: '密偵', password: '密偵の合言葉 1' })
    await guest.get(`/api/threads?search=${encodeURIComponent('密書')}`)
    await board.settle()
    stop()
    expect(texts.join('\n')).toMatch(/insert[^]*posts[^]*\$1/)
    expect(texts.join('\n')).not.toMatch(/密|198\.51\.100/)
    expect(texts.join('\n')).not.toContain(thread._id)
  })

  it('can be merged with those of other processes', async () => {
    const figures = await board.deps.metrics.getMetricsAsJSON()
    // As they come from another process.
    const others = JSON.parse(JSON.stringify(figures)) as typeof figures
    const together = AggregatorRegistry.aggregate([figures, others])
    const whole = readScrape(await together.metrics()).figures
    const posts = 'shinobi_grouped_total{of="posts"}'
    const { figures: one } = await scrape(board)
    expect(whole.get(posts)).toBe(2 * one.get(posts)!)
    expect(whole.get('shinobi_cache_entries')).toBe(2 * one.get('shinobi_cache_entries')!)
    expect(whole.get('shinobi_event_loop_utilization')).toBeLessThanOrEqual(1)
    expect(whole.get('shinobi_news_waiting{what="run"}')).toBe(one.get('shinobi_news_waiting{what="run"}'))
  })
})
