import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createLogger, openLogDestination } from './logger.ts'

it.runIf(existsSync('/dev/full'))(
  'a log on a full disk ends nothing, and keeps no more of its lines than fits',
  async () => {
    const fd = openSync('/dev/full', 'w')
    const to = openLogDestination(fd) as ReturnType<typeof openLogDestination> & NodeJS.EventEmitter
    const log = createLogger({ logLevel: 'info' }, to)
    let dropped = 0
    to.on('drop', () => (dropped += 1))
    const failed = once(to, 'write').then(
      () => null,
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    )
    for (let line = 0; line < 3_000; line += 1) log.info('x'.repeat(1_000))
    // Without a listener of the logger's own the error would be nobody's, and end this process.
    expect(await failed).toBe('ENOSPC')
    expect(dropped).toBeGreaterThan(1_000)
    closeSync(fd)
  },
)
