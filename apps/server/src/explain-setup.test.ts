import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { explainSetup } from './explain-setup.ts'

describe('the message for an operator after a failed start', () => {
  it('names the data folder, and no address, when a socket in the folder cannot be created', async () => {
    const socket = createServer().listen('/proc/owner.sock')
    const [error] = await once(socket, 'listening').then(
      () => [null],
      (reason: unknown) => [reason],
    )
    expect(explainSetup(error)).toMatch(/^Setting DATA_DIR cannot be used: .*\/proc\/owner\.sock/)
  })
})
