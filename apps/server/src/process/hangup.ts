import { isatty } from 'node:tty'

/**
 * SIGHUP comes from two sides: `systemctl reload` asks for a rolling restart, and a terminal that closes ends what runs in it.
 * Input that is a terminal tells them apart.
 */
export function onHangup({ stop, reload }: { readonly stop: () => void; readonly reload: () => void }): void {
  process.on('SIGHUP', isatty(0) ? stop : reload)
}
