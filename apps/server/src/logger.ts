import { destination, pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from './config.ts'
import { describeError } from './lib/describe-error.ts'

/**
 * Characters of log lines kept while they cannot be written, until the disk has space again; lines
 * beyond them are dropped.
 */
const KEPT_LENGTH = 1024 * 1024

/**
 * Where the log goes: standard output unless a file descriptor is given. It may be a file on a full
 * disk, and a log that cannot be written must not end the board: an error that pino's destination
 * has no listener for ends the process.
 */
export function openLogDestination(fd: number = process.stdout.fd): DestinationStream {
  const to = destination({ dest: fd, minLength: 0, maxLength: KEPT_LENGTH })
  let isFailing = false
  // There is nowhere to report it. The line is kept, and written as soon as a later one can be.
  to.on('error', () => (isFailing = true))
  to.on('write', () => (isFailing = false))
  // Called at the exit of the process, which it would keep up for ever: it tries again until it has
  // written everything.
  const flushSync = to.flushSync.bind(to)
  to.flushSync = () => {
    if (!isFailing) flushSync()
  }
  return to
}

/**
 * The server's log, one line of JSON an event. What is personal is kept out of it where it is
 * written; this keeps out what libraries would write.
 */
export const createLogger = (
  { logLevel }: Pick<Config, 'logLevel'>,
  to: DestinationStream = openLogDestination(),
): Logger =>
  pino(
    {
      level: logLevel,
      serializers: { err: describeError },
      // The parser of forms traces the headers of each, cookies among them.
      redact: { paths: ['busboyOptions.headers'], remove: true },
    },
    to,
  )
