import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import { postInput } from '@shinobi/contract/posts'
import { threadInput } from '@shinobi/contract/threads'
import { openDatabase } from './db/client.ts'
import { openBoard, openTestDatabase, startThread, visit, writeTo, type Board } from './testing/board.ts'
import { VERSION } from './version.ts'

describe('the server', () => {
  let board: Board
  beforeAll(async () => {
    board = await openBoard()
  })
  afterAll(() => board.close())

  it('is healthy and ready', async () => {
    expect((await board.app.inject('/healthz')).json()).toEqual({ status: 'ok', version: VERSION })
    // A busy machine may need longer for a query than it waits.
    await expect.poll(async () => (await board.app.inject('/readyz')).json()).toEqual({ status: 'ready' })
  })

  it('describes every call in OpenAPI 3.1, generated from the contract', async () => {
    const document = (await board.app.inject('/docs/json')).json<{
      openapi: string
      paths: Record<string, Record<string, { summary: string }>>
    }>()
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/api/categories',
        '/api/threads',
        '/api/threads/{threadId}/posts',
        '/api/threads/{threadId}/checkNickname',
      ]),
    )
    for (const methods of Object.values(document.paths))
      for (const call of Object.values(methods)) expect(call.summary).toBeTruthy()
    expect((await board.app.inject('/docs/')).statusCode).toBe(200)
  })

  it('describes the bodies of calls that take an image, with it and as JSON', async () => {
    interface Body {
      readonly content: Record<string, { schema: { properties: object; required?: string[] } }>
    }
    const { paths } = (await board.app.inject('/docs/json')).json<{
      paths: Record<string, Record<string, { requestBody?: Body }>>
    }>()
    const fieldsOf = (method: string, url: string, type: string) =>
      Object.keys(paths[url]![method]!.requestBody?.content[type]?.schema.properties ?? {})
    for (const [url, fields] of [
      ['/api/threads', Object.keys(threadInput.shape)],
      ['/api/threads/{threadId}/posts', Object.keys(postInput.shape)],
    ] as const) {
      expect(fieldsOf('post', url, 'application/json')).toEqual(fields)
      expect(fieldsOf('post', url, 'multipart/form-data')).toEqual([...fields, 'image'])
    }
    expect(fieldsOf('put', '/auth/profile/image', 'multipart/form-data')).toEqual(['profileImage'])
    const content = paths['/api/threads/{threadId}/posts']!['post']!.requestBody!.content
    expect(content['application/json']!.schema.required).toEqual(['content'])
  })

  it('describes feeds, sitemaps and files of threads with the media types that it sends', async () => {
    const { paths } = (await board.app.inject('/docs/json')).json<{
      paths: Record<string, { get: { responses: Record<string, { content: object }> } }>
    }>()
    const thread = await startThread(visit(board))
    for (const [path, url, types] of [
      ['/feed.xml', '/feed.xml', ['application/atom+xml']],
      ['/categories/{categoryId}/feed.xml', '/categories/general/feed.xml', ['application/atom+xml']],
      ['/sitemap.xml', '/sitemap.xml', ['application/xml']],
      ['/sitemaps/pages.xml', '/sitemaps/pages.xml', ['application/xml']],
      ['/api/threads/{threadId}/log.{form}', `/api/threads/${thread._id}/log.dat`, ['text/plain', 'application/json']],
    ] as const) {
      const { responses } = paths[path]!.get
      expect(Object.keys(responses['200']!.content)).toEqual(types)
      expect((await board.app.inject(url)).headers['content-type']).toContain(types[0])
    }
    const { responses } = paths['/api/threads/{threadId}/log.{form}']!.get
    expect(Object.keys(responses['4XX']!.content)).toEqual(['application/json'])
    const missing = await board.app.inject(`/api/threads/${crypto.randomUUID()}/log.dat`)
    expect([missing.statusCode, missing.json()]).toEqual([
      404,
      { message: messages.thread_not_found, code: 'not_found' },
    ])
  })

  it('answers unknown addresses and methods in Japanese', async () => {
    for (const [method, url] of [
      ['GET', '/api/nothing'],
      ['POST', '/api/categories'],
      ['DELETE', '/api/threads'],
    ] as const) {
      const answer = await board.app.inject({ method, url, headers: { origin: 'http://localhost' } })
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ message: messages.not_found, code: 'not_found' })
    }
  })

  it('sets the security headers on every answer, and no cookie on a public GET', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    for (const url of [
      '/api/categories',
      '/api/threads',
      '/api/threads/trending',
      `/api/threads/${thread._id}`,
      `/api/threads/${thread._id}/posts`,
      '/api/nothing',
    ]) {
      const answer = await board.app.inject(url)
      expect(answer.headers['content-security-policy']).toContain("default-src 'self'")
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  it('answers malformed bytes in queries and addresses without a 500', async () => {
    for (const url of [
      '/api/threads?search=%00',
      '/api/threads?search=%ff%fe',
      '/api/threads?limit=1e9',
      '/api/threads?limit=-1',
      '/api/threads?cursor=%00',
      '/api/categories/%00',
      '/api/categories/%E3%81',
      '/api/threads/%00/posts',
      '/api/threads?search=\ud800'.normalize(),
      '/images/../../etc/passwd',
      '/images/%2e%2e%2fsession-secret',
    ]) {
      const answer = await board.app.inject(url)
      expect({ url, failed: answer.statusCode >= 500 }).toEqual({ url, failed: false })
      expect(answer.body).not.toContain('root:')
    }
  })
})

describe('when PostgreSQL is unavailable', () => {
  it('the server keeps running, answers 503 in Japanese, serves cached answers, and recovers', async () => {
    const database = await openTestDatabase()
    const target = new URL(database.url)
    const open = new Set<Socket>()
    const proxy = createServer((inbound) => {
      const outbound = connect(Number(target.port), target.hostname)
      for (const socket of [inbound, outbound]) {
        open.add(socket)
        socket.on('error', () => {}).on('close', () => open.delete(socket))
      }
      inbound.pipe(outbound).pipe(inbound)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const through = new URL(target)
    through.port = String(port)
    const board = await openBoard({ SPAM_POSTS: '1000' }, openDatabase({ url: through.href, pool: 4 }))
    const guest = visit(board)
    const thread = await startThread(guest)
    const url = await board.listen()
    await fetch(`${url}/api/threads`)

    proxy.close()
    for (const socket of open) socket.destroy()
    const refused = await guest.post(`/api/threads/${thread._id}/posts`, { content: '届かない', name: '影' })
    expect(refused.status).toBe(503)
    expect(refused.body).toEqual({ message: messages.unavailable, code: 'unavailable' })
    expect((await fetch(`${url}/api/threads`)).status).toBe(200)
    expect((await board.app.inject('/readyz')).statusCode).toBe(503)
    expect((await board.app.inject('/healthz')).statusCode).toBe(200)

    proxy.listen(port, '127.0.0.1')
    await once(proxy, 'listening')
    await expect.poll(async () => (await board.app.inject('/readyz')).statusCode).toBe(200)
    expect((await writeTo(guest, thread, '戻った')).number).toBe(2)
    await board.close()
    await board.database.close()
    proxy.close()
    for (const socket of open) socket.destroy()
    await database.close()
  })
})
