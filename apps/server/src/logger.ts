import { destination, levels, pino, type DestinationStream, type LogFn, type Logger } from 'pino'
import type { Config } from './config.ts'
import { describeError } from './lib/describe-error.ts'
import { createRepeats, type Repeats } from './lib/repeats.ts'

/**
 * A warning or an error that repeats within this time is counted, and summarised at its end: an
 * outage must not fill the log.
 */
const WINDOW_MS = 10_000

/** The content of a log line, and the function of pino that writes it. */
interface Line {
  readonly facts: Readonly<Record<string, unknown>>
  readonly message: string
  readonly write: LogFn
}

export interface LoggerOptions {
  readonly to?: DestinationStream
  /** Milliseconds of a window of `createRepeats`; with 0 every line is logged. */
  readonly windowMs?: number
  readonly now?: () => number
  readonly schedule?: (work: () => void, ms: number) => void
}

/**
 * Maximum of characters of log lines that are kept while the disk is full; further lines are
 * dropped.
 */
const KEPT_LENGTH = 1024 * 1024

/**
 * Destination of the log: standard output unless a file descriptor is given. It may be a file on a
 * full disk, and a failed write must not end the process: pino's destination emits an error, which
 * ends the process when it has no listener.
 */
export function openLogDestination(fd: number = process.stdout.fd): DestinationStream {
  const to = destination({ dest: fd, minLength: 0, maxLength: KEPT_LENGTH })
  let isFailing = false
  // The error cannot be reported anywhere. The line is kept, and written when a later write
  // succeeds.
  to.on('error', () => (isFailing = true))
  to.on('write', () => (isFailing = false))
  // Called when the process exits, which it would block for ever: it retries until everything is
  // written.
  const flushSync = to.flushSync.bind(to)
  to.flushSync = () => {
    if (!isFailing) flushSync()
  }
  return to
}

/**
 * The server's log, one line of JSON per event. Callers leave out personal data; the logger removes
 * the personal data that libraries log. Warnings and errors that repeat are folded into one line
 * per `WINDOW_MS`.
 */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, options: LoggerOptions = {}): Logger {
  const {
    to = openLogDestination(),
    windowMs = WINDOW_MS,
    now = () => performance.now(),
    schedule = scheduleQuietly,
  } = options
  const repeats: Repeats<Line> = createRepeats({
    ...{ windowMs, now, schedule },
    tell({ facts, message, write }, { count, seconds, ids, slowestMs }) {
      const summary = {
        ...facts,
        requestId: undefined,
        ...(slowestMs !== null && { ms: slowestMs }),
        ...(ids.length > 0 && { requestIds: ids }),
        ...{ repeated: count, seconds },
      }
      write.call(logger, summary, `${message} (repeated ${count} times in ${seconds} s)`)
    },
  })
  const logger: Logger = pino(
    {
      level: logLevel,
      serializers: { err: describeError },
      // The multipart parser traces the headers of each form, including cookies.
      redact: { paths: ['busboyOptions.headers'], remove: true },
      hooks: {
        logMethod(args, write, level) {
          if (windowMs === 0 || level < levels.values['warn']! || isNews(this, args, write, level))
            write.apply(this, args)
        },
      },
    },
    to,
  )

  function isNews(of: Logger, args: Parameters<LogFn>, write: LogFn, level: number): boolean {
    const line = { ...lineOf(args), write }
    const { ms, requestId } = line.facts
    // The visitor was shown this id with the error, so the summary must contain it.
    const id = level < levels.values['error']! ? null : (requestId ?? of.bindings()['requestId'])
    return repeats.see(
      `${level} ${keyOf(line)}`,
      line,
      typeof id === 'string' ? id : null,
      typeof ms === 'number' ? ms : null,
    )
  }

  // Counted lines must be written before the process ends.
  if (options.to === undefined) process.on('exit', () => repeats.flush())
  return logger
}

/**
 * The log of a program that an operator runs: warnings, to standard error. Standard output is for
 * the program's result, which may be an archive.
 */
export const createProgramLogger = (): Logger =>
  createLogger({ logLevel: 'warn' }, { to: openLogDestination(process.stderr.fd), windowMs: 0 })

const scheduleQuietly = (work: () => void, ms: number): void => void setTimeout(work, ms).unref()

function lineOf(args: Parameters<LogFn>): Omit<Line, 'write'> {
  const [first, second] = args as readonly unknown[]
  if (typeof first === 'string') return { facts: {}, message: first }
  const facts = first instanceof Error ? { err: first } : ((first ?? {}) as Line['facts'])
  const message = typeof second === 'string' ? second : facts['err'] instanceof Error ? facts['err'].message : ''
  return { facts, message }
}

/**
 * Lines are equal when these are: message, error with its stack position, and facts such as route,
 * but not numbers.
 */
function keyOf({ facts, message }: Omit<Line, 'write'>): string {
  const texts = Object.entries(facts).filter(
    ([name, value]) =>
      name !== 'requestId' && (typeof value === 'string' || typeof value === 'boolean' || name === 'status'),
  )
  return JSON.stringify([message, texts, keyOfError(facts['err'])])
}

function keyOfError(error: unknown): readonly unknown[] {
  if (!(error instanceof Error)) return [typeof error]
  const place = /^\s+at .*$/m.exec(error.stack ?? '')?.[0]
  return [(error as NodeJS.ErrnoException).code, error.message, place]
}
