/**
 * Notifies systemd (sd_notify) that the board is ready, runs and stops. The messages are datagrams
 * to a unix socket, for which Node has no API; systemd's own program sends them, so that no native
 * module is needed. Where systemd did not start the board ($NOTIFY_SOCKET is not set) nothing is
 * sent.
 */
import { spawn } from 'node:child_process'
import type { Logger } from 'pino'

type Assignment = 'READY=1' | 'STOPPING=1' | 'WATCHDOG=1' | `STATUS=${string}`

/** Heartbeats within systemd's WatchdogSec: two may be late. */
const BEATS_PER_WATCHDOG = 3

export interface Systemd {
  /**
   * The board listens; `systemctl status` shows `status`. From now on systemd's watchdog gets
   * heartbeats of the event loop.
   */
  ready(status: string): void
  stopping(): void
}

export function createSystemd(log: Logger, env: NodeJS.ProcessEnv = process.env): Systemd {
  if (env['NOTIFY_SOCKET'] === undefined) return { ready: () => {}, stopping: () => {} }
  let watchdog: NodeJS.Timeout | null = null
  function notify(...assignments: Assignment[]): void {
    spawn('systemd-notify', assignments, { stdio: 'ignore', env })
      .on('error', (error) =>
        log.error({ err: error }, 'systemd cannot be notified: its program systemd-notify did not start'),
      )
      .unref()
  }
  return {
    ready(status) {
      notify('READY=1', `STATUS=${status}`)
      const watchdogMs = Number(env['WATCHDOG_USEC'] ?? 0) / 1_000
      if (watchdogMs > 0 && watchdog === null) {
        // A timer, so that the heartbeats stop when the event loop hangs.
        watchdog = setInterval(() => notify('WATCHDOG=1'), watchdogMs / BEATS_PER_WATCHDOG)
        watchdog.unref()
      }
    },
    stopping: () => notify('STOPPING=1'),
  }
}
