import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createLogger, openLogDestination } from './logger.ts'
import { openLog } from './testing/log-lines.ts'

it.runIf(existsSync('/dev/full'))(
  'a log on a full disk does not end the process, and keeps a bounded number of lines',
  async () => {
    const fd = openSync('/dev/full', 'w')
    const to = openLogDestination(fd) as ReturnType<typeof openLogDestination> & NodeJS.EventEmitter
    const log = createLogger({ logLevel: 'info' }, { to })
    let dropped = 0
    to.on('drop', () => (dropped += 1))
    const failed = once(to, 'write').then(
      () => null,
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    )
    for (let line = 0; line < 3_000; line += 1) log.info('x'.repeat(1_000))
    // Without the logger's own listener the error would be unhandled, and end this process.
    expect(await failed).toBe('ENOSPC')
    expect(dropped).toBeGreaterThan(1_000)
    closeSync(fd)
  },
)

describe('the log', () => {
  function open() {
    const to = openLog()
    const clock = { now: 0 }
    const due: (() => void)[] = []
    const log = createLogger({ logLevel: 'info' }, { to, now: () => clock.now, schedule: (work) => due.push(work) })
    const endWindow = (): void => {
      clock.now += 10_000
      for (const work of due.splice(0)) work()
    }
    return { lines: to.lines, log, endWindow }
  }
  /** As for a lost connection: each error is a new object with the same stack. */
  const refused = (code = 'ECONNREFUSED') => Object.assign(new Error(`connect ${code}`), { code })

  it('folds an outage of 1,490 lines into one line per kind, and one more per window', () => {
    const { lines, log, endWindow } = open()
    for (let count = 0; count < 745; count += 1) {
      log.child({ requestId: `request-${count}` }).warn({ err: refused() }, 'database away')
      log.warn({ method: 'GET', route: '/api/threads', status: 503, ms: count }, 'request answered with an error')
    }
    expect(lines).toHaveLength(2)
    endWindow()
    expect(lines.slice(2)).toMatchObject([
      { level: 40, msg: 'database away (repeated 744 times in 10 s)', repeated: 744, seconds: 10 },
      { route: '/api/threads', status: 503, repeated: 744, ms: 744 },
    ])
    expect(lines[2]).toMatchObject({ err: { code: 'ECONNREFUSED' } })
    expect(lines[2]).not.toHaveProperty('requestId')
  })

  it('lists in the summary the ids of all errors that visitors were shown', () => {
    const { lines, log, endWindow } = open()
    const fail = (requestId: string) => log.child({ requestId }).error({ err: refused('EBUG') }, 'request failed')
    for (const id of ['one', 'two', 'three']) fail(id)
    for (const requestId of ['four', 'five']) log.error({ requestId, err: refused('EBUG') }, 'socket event failed')
    endWindow()
    expect(lines.map(({ requestId, requestIds }) => requestId ?? requestIds)).toEqual([
      'one',
      'four',
      ['two', 'three'],
      ['five'],
    ])
  })

  it('does not fold lines with different message, error, stack, route or status', () => {
    const { lines, log } = open()
    const [here, there] = [refused(), refused()]
    log.warn({ err: here }, 'one')
    log.warn({ err: here }, 'two')
    log.warn({ err: there }, 'one')
    log.warn({ err: refused('ECONNRESET') }, 'one')
    log.error({ err: here }, 'one')
    for (const facts of [{ route: '/a' }, { route: '/b' }, { route: '/b', status: 500 }, { route: '/b', status: 503 }])
      log.warn(facts, 'slow')
    log.warn('bare')
    log.error(here)
    expect(lines).toHaveLength(10)
  })

  it('does not fold lines of level info', () => {
    const { lines, log } = open()
    for (let count = 0; count < 3; count += 1) log.info('all servers receive the messages of the others')
    expect(lines).toHaveLength(3)
  })
})
