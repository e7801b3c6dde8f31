import { isatty } from 'node:tty'

/**
 * SIGHUP has two meanings: `systemctl reload` asks for a rolling restart, and a closing terminal
 * ends its programs. The second is the case when standard input is a terminal.
 */
export function onHangup({ stop, reload }: { readonly stop: () => void; readonly reload: () => void }): void {
  process.on('SIGHUP', isatty(0) ? stop : reload)
}
