import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
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
})
afterEach(() => app.close())

const ask = async (address: string, method: 'GET' | 'POST' = 'POST') => {
  const { statusCode, headers } = await app.inject({ method, url: '/', headers: { 'x-forwarded-for': address } })
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
