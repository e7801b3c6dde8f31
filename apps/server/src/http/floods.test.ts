import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { handleErrors } from './errors.ts'
import { createRequestLimit, guardFloods } from './floods.ts'

const clock = { now: 0 }
let app: FastifyInstance
beforeEach(() => {
  clock.now = 0
  app = Fastify({ trustProxy: true })
  handleErrors(app)
  guardFloods(app, () => clock.now)
  for (const method of ['GET', 'POST']) app.route({ method, url: '/', handler: async () => 'done' })
  app.get('/api/long', async () => '忍'.repeat(50_000))
})
afterEach(() => app.close())

const ask = async (address: string, method: 'GET' | 'POST' = 'POST', url = '/') => {
  const { statusCode, headers } = await app.inject({ method, url, headers: { 'x-forwarded-for': address } })
  return [statusCode, headers.connection, headers['retry-after']]
}

it('a flood of writes is refused, but neither writes of others nor the sender’s cached reads', async () => {
  for (let count = 0; count < 1_500; count += 1) {
    expect((await ask(`2001:db8:7:${count.toString(16)}::1`))[0]).toBe(200)
  }
  expect(await ask('2001:db8:7:ffff::1')).toEqual([429, 'close', '5'])
  expect((await ask('2001:db8:7:ffff::1', 'GET'))[0]).toBe(200)
  expect((await ask('2001:db8:8::1'))[0]).toBe(200)
  clock.now += 50
  for (let count = 0; count < 10; count += 1) expect((await ask('2001:db8:7::1'))[0]).toBe(200)
  expect((await ask('2001:db8:7::1'))[0]).toBe(429)
})

it('a flood of uncached reads is refused as well, and does not count against the sender’s writes', async () => {
  for (let count = 0; count < 1_500; count += 1) expect((await ask('198.51.100.1', 'GET'))[0]).toBe(200)
  expect(await ask('198.51.100.1', 'GET')).toEqual([429, 'close', '5'])
  expect((await ask('198.51.100.1'))[0]).toBe(200)
  expect((await ask('198.51.100.2', 'GET'))[0]).toBe(200)
  clock.now += 1_000
  for (let count = 0; count < 200; count += 1) expect((await ask('198.51.100.1', 'GET'))[0]).toBe(200)
  expect((await ask('198.51.100.1', 'GET'))[0]).toBe(429)
})

it.each(['/api/long', '/%61pi/long'])('a read of 150 kB (%s) counts as ten', async (url) => {
  for (let count = 0; count < 150; count += 1) expect((await ask('198.51.100.1', 'GET', url))[0]).toBe(200)
  expect((await ask('198.51.100.1', 'GET'))[0]).toBe(429)
  clock.now += 50
  for (let count = 0; count < 10; count += 1) expect((await ask('198.51.100.1', 'GET'))[0]).toBe(200)
  expect((await ask('198.51.100.1', 'GET'))[0]).toBe(429)
})

it('long answers that were under way together are forgiven after two seconds', async () => {
  const gate = Promise.withResolvers<void>()
  app.get('/api/slow', async () => {
    await gate.promise
    return '忍'.repeat(50_000)
  })
  const answers = Array.from({ length: 400 }, () => ask('198.51.100.1', 'GET', '/api/slow'))
  await setImmediate()
  gate.resolve()
  for (const answer of answers) expect((await answer)[0]).toBe(200)
  clock.now += 1_999
  expect((await ask('198.51.100.1', 'GET'))[0]).toBe(429)
  clock.now += 6
  expect((await ask('198.51.100.1', 'GET'))[0]).toBe(200)
})

it('writes from loopback are not counted', async () => {
  for (let count = 0; count < 2_000; count += 1) expect((await ask('127.0.0.1'))[0]).toBe(200)
})

it('a flood of cached answers is refused, but those of others are not', () => {
  let address = '198.51.100.1'
  const isRefused = createRequestLimit(
    () => address,
    () => clock.now,
  )
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  for (let count = 0; count < 20_000; count += 1) expect(isRefused(request, response)).toBe(false)
  expect(isRefused(request, response)).toBe(true)
  expect([response.statusCode, response.writableEnded]).toEqual([429, true])
  address = '198.51.100.2'
  expect(isRefused(request, response)).toBe(false)
  address = '198.51.100.1'
  clock.now += 1_000
  for (let count = 0; count < 2_000; count += 1) expect(isRefused(request, response)).toBe(false)
  expect(isRefused(request, new ServerResponse(request))).toBe(true)
  address = '127.0.0.1'
  for (let count = 0; count < 30_000; count += 1) isRefused(request, response)
  expect(isRefused(request, response)).toBe(false)
})
