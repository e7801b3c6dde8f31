import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { createOriginCheck } from './origins.ts'

const check = (settings: Record<string, string>) =>
  createOriginCheck(readConfig({ DATA_DIR: '/tmp/none', ...settings }))

describe('origins that may make changes', () => {
  it.each([
    ['http://localhost:3000', 'localhost:3000', true],
    ['http://127.0.0.1:3000', '127.0.0.1:3000', true],
    ['http://[::1]:3000', '[::1]:3000', true],
    ['http://192.168.1.5:3000', '192.168.1.5:3000', true],
    // A foreign name that was made to resolve to this server.
    ['http://evil.example:3000', 'evil.example:3000', false],
    ['http://evil.example', 'localhost:3000', false],
    ['http://localhost:4000', 'localhost:3000', false],
    ['null', 'localhost:3000', false],
    ['http://localhost:3000', undefined, true],
    ['http://127.0.0.1:3000', undefined, false],
  ])('a page of %s at %s on a laptop: %s', (origin, host, isAllowed) => {
    expect(check({ PORT: '3000' })(origin, host)).toBe(isAllowed)
  })

  it.each([
    ['https://board.example', 'board.example', true],
    ['http://board.example', 'board.example', false],
    ['https://board.example:8443', 'board.example', false],
    ['https://friend.example', 'board.example', true],
    ['https://evil.example', 'evil.example', false],
    ['http://127.0.0.1:3000', '127.0.0.1:3000', true],
  ])('a page of %s at %s where the board is https://board.example: %s', (origin, host, isAllowed) => {
    const settings = { PUBLIC_URL: 'https://board.example', CORS_ORIGINS: 'https://friend.example' }
    expect(check(settings)(origin, host)).toBe(isAllowed)
  })
})
