import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import Fastify, { LogController, type FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { openLog } from '../testing/log-lines.ts'
import { connectTo, enter, openBoard, startThread, visit, type Board } from '../testing/board.ts'
import { logOfRequests } from './request-log.ts'
import { REQUEST_ID_LABEL, watchRequests } from './requests.ts'

let log: ReturnType<typeof openLog>
let board: Board | null = null
/** A board that logs no slow requests, however busy the machine is. */
const open = async (settings: Record<string, string> = {}): Promise<Board> => {
  board = await openBoard({ SLOW_QUERY_MS: '0', SLOW_REQUEST_MS: '0', ...settings }, undefined, log)
  return board
}
beforeEach(() => {
  log = openLog()
})
afterEach(async () => {
  await board?.close()
  board = null
})

/** Renames a table that every request needs. */
const breakIt = (): Promise<unknown> => sql`alter table threads rename to "brokenThreads"`.execute(board!.database.db)
const ID = /^[\w-]{12}$/

describe('a request', () => {
  it('gets its id, unless its answer is cached for everybody', async () => {
    const guest = visit(await open())
    const first = await guest.get('/api/categories')
    const second = await guest.get('/api/categories')
    const personal = await guest.get('/api/profile')
    expect(first.headers['x-request-id']).toMatch(ID)
    expect(second.status).toBe(200)
    expect(second.headers['x-request-id']).toBeUndefined()
    expect(second.headers['etag']).toBe(first.headers['etag'])
    expect(personal.headers['x-request-id']).toMatch(ID)
    expect(personal.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  })

  it('keeps a valid id from a trusted proxy', async () => {
    const guest = visit(await open())
    const ask = async (id: string) => (await guest.get('/auth/none', { 'x-request-id': id })).headers['x-request-id']
    expect(await ask('edge-2f9c01')).toBe('edge-2f9c01')
    for (const strange of ['short', 'x'.repeat(65), 'two words here', '<script>alert(1)</script>']) {
      expect(await ask(strange)).toMatch(ID)
    }
  })

  it('gets a new id where no proxy is trusted', async () => {
    const guest = visit(await open({ TRUST_PROXY: 'false' }))
    const answer = await guest.get('/auth/none', { 'x-request-id': 'edge-2f9c01' })
    expect(answer.headers['x-request-id']).toMatch(ID)
  })

  it('that fails unexpectedly answers an id, under which the log has the reason', async () => {
    const guest = visit(await open())
    await breakIt()
    log.lines.length = 0
    const answer = await guest.get<{ message: string; code: string }>('/api/threads?search=%E7%A7%98%E5%AF%86')
    const id = answer.headers['x-request-id']
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({
      code: 'unexpected',
      message: `エラーが発生しました。もう一度お試しください。（受付番号 ${id}）`,
    })
    const told = log.lines.filter((line) => line['requestId'] === id)
    expect(told).toMatchObject([
      { msg: 'request failed', err: { message: expect.stringContaining('threads') } },
      { msg: 'request answered with an error', method: 'GET', route: '/api/threads', status: 500 },
    ])
    // Neither the search words nor the client.
    expect(JSON.stringify(log.lines)).not.toMatch(/秘密|%E7|203\.0\.113|cookie/)
  })

  it('that is quick and succeeds, or is refused by a rule, is not logged', async () => {
    const guest = visit(await open({ SLOW_REQUEST_MS: '600000', SLOW_QUERY_MS: '600000' }))
    await board!.listen()
    log.lines.length = 0
    await startThread(guest)
    await guest.get('/api/threads')
    await guest.get('/nothing')
    expect(log.lines).toEqual([])
  })
})

describe('an event of a socket', () => {
  it('that fails unexpectedly answers an id, under which the log has the reason', async () => {
    const thread = await startThread(visit(await open()))
    const socket = await connectTo(await board!.listen())
    await breakIt()
    const answer = await enter(socket, thread._id)
    socket.disconnect()
    const line = log.lines.find(({ msg }) => msg === 'socket event failed')!
    expect(line['requestId']).toMatch(ID)
    expect(answer).toEqual({
      error: {
        code: 'unexpected',
        message: `エラーが発生しました。もう一度お試しください。（受付番号 ${String(line['requestId'])}）`,
      },
    })
  })
})

describe('a slow request', () => {
  /** A server with one route of a given minimum duration. */
  async function openSlow(slowMs: number) {
    const app = Fastify({
      loggerInstance: pino({}, log) as FastifyBaseLogger,
      logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: REQUEST_ID_LABEL }),
    })
    const deep = logOfRequests(app.log)
    watchRequests(app, { metrics: new Registry(), slowMs })
    app.post<{ Params: { name: string }; Body: { ms: number } }>('/take/:name', async ({ body }) => {
      const until = performance.now() + body.ms
      while (performance.now() < until) await new Promise(setImmediate)
      deep.info('from deep within')
      return 'done'
    })
    await app.ready()
    return { app, deep }
  }

  it('is logged by the pattern of its route, with its duration', async () => {
    const { app } = await openSlow(20)
    const answer = await app.inject({ method: 'POST', url: '/take/hanzo?q=secret', payload: { ms: 25 } })
    await app.close()
    const [, line] = log.lines
    expect(line).toMatchObject({ msg: 'slow request', method: 'POST', route: '/take/:name', status: 200 })
    expect(line!['ms']).toBeGreaterThanOrEqual(25)
    expect(line!['requestId']).toBe(answer.headers['x-request-id'])
    expect(JSON.stringify(log.lines)).not.toMatch(/hanzo|secret/)
  })

  it('is not logged where that is off', async () => {
    const { app } = await openSlow(0)
    await app.inject({ method: 'POST', url: '/take/hanzo', payload: { ms: 5 } })
    await app.close()
    expect(log.lines.map(({ msg }) => msg)).toEqual(['from deep within'])
  })

  it('has its own id in every line, even when its body arrives long after its head', async () => {
    const { app, deep } = await openSlow(0)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    async function ask(): Promise<unknown> {
      const headers = { 'content-type': 'application/json', 'content-length': 8 }
      const asking = request(`${url}/take/x`, { agent, method: 'POST', headers })
      asking.flushHeaders()
      await once(app.server, 'request')
      asking.end('{"ms":3}')
      const [answer] = (await once(asking, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      return answer.headers['x-request-id']
    }
    const ids = [await ask(), await ask()]
    deep.info('from nobody')
    agent.destroy()
    await app.close()
    const told = log.lines.filter(({ msg }) => String(msg).startsWith('from'))
    expect(told.map(({ requestId }) => requestId)).toEqual([...ids, undefined])
    expect(ids[0]).not.toBe(ids[1])
  })
})
