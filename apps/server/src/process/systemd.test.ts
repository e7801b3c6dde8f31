import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openLog } from '../testing/log-lines.ts'
import { canHearNotifications, openNotifySocket } from '../testing/outside/notify-socket.ts'
import { createSystemd } from './systemd.ts'

const soon = { timeout: 60_000, interval: 20 }
/** Each notification is a process. */
const TIMEOUT_MS = 120_000

describe.runIf(canHearNotifications)('systemd', { timeout: TIMEOUT_MS }, () => {
  it('is notified that the board is ready, regularly that it runs, and that it stops', async () => {
    const socket = await openNotifySocket()
    onTestFinished(() => socket.close())
    const env = { ...process.env, NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '300000' }
    const systemd = createSystemd(pino({ level: 'silent' }), env)
    systemd.ready('waiting for PostgreSQL')
    await vi.waitUntil(() => socket.messages.filter((message) => message === 'WATCHDOG=1').length >= 2, soon)
    expect(socket.messages).toContain('READY=1 STATUS=waiting for PostgreSQL')
    systemd.stopping()
    await vi.waitUntil(() => socket.messages.includes('STOPPING=1'), soon)
  })
})

it('is not notified where it did not start the board, and a missing program is logged', async () => {
  const log = openLog()
  createSystemd(pino({}, log), { PATH: process.env['PATH'] }).ready('open')
  createSystemd(pino({}, log), { PATH: '/nowhere', NOTIFY_SOCKET: '/nowhere/socket' }).stopping()
  await vi.waitUntil(() => log.lines.length > 0, soon)
  expect(log.lines).toMatchObject([{ level: 50, msg: expect.stringContaining('systemd-notify did not start') }])
})
