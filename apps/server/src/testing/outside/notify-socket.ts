/**
 * Receives the notifications of a service to systemd: the socket that systemd names in
 * $NOTIFY_SOCKET, read by perl, as Node has no unix datagram sockets.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Whether the required programs of systemd and Debian are installed. */
export const canHearNotifications = ['/usr/bin/systemd-notify', '/usr/bin/perl'].every((path) => existsSync(path))

const LISTENER = `
use IO::Socket::UNIX;
my $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $ARGV[0]) or die $!;
$| = 1;
print "listening\\n";
while (defined $socket->recv(my $message, 4096)) { print join(' ', split(/\\n/, $message)), "\\n" }
`

export interface NotifySocket {
  readonly path: string
  /** One per datagram, with spaces between its assignments. */
  readonly messages: string[]
  close(): Promise<void>
}

export async function openNotifySocket(): Promise<NotifySocket> {
  const folder = mkdtempSync(join(tmpdir(), 'shinobi-notify-'))
  const path = join(folder, 'socket')
  const listener = spawn('perl', ['-e', LISTENER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: listener.stdout })
  await once(lines, 'line')
  const messages: string[] = []
  // A barrier (systemd-notify waits until it is received) is not a message of the service.
  lines.on('line', (line) => {
    if (line !== 'BARRIER=1') messages.push(line)
  })
  return {
    path,
    messages,
    async close() {
      listener.kill()
      await once(listener, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
