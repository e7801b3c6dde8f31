import { destination, levels, pino, type DestinationStream, type LogFn, type Logger } from 'pino'
import type { Config } from './config.ts'
import { describeError } from './lib/describe-error.ts'
import { createRepeats, type Repeats } from './lib/repeats.ts'

/** A warning or an error that is logged again within this time is counted, and told at its end: an outage must not fill the log. */
const WINDOW_MS = 10_000

/** A line as it was given to the log: what makes it, and what pino writes it with. */
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
 * The server's log, one line of JSON an event. What is personal is kept out of it where it is written; this keeps out what libraries would
 * write. Warnings and errors that repeat are folded into one line every `WINDOW_MS`.
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
      // The parser of forms traces the headers of each, cookies among them.
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
    // A visitor who met an error was told its id.
    const id = level < levels.values['error']! ? null : (requestId ?? of.bindings()['requestId'])
    return repeats.see(
      `${level} ${keyOf(line)}`,
      line,
      typeof id === 'string' ? id : null,
      typeof ms === 'number' ? ms : null,
    )
  }

  // What was counted must not be lost with the process.
  if (options.to === undefined) process.on('exit', () => repeats.flush())
  return logger
}

/**
 * The log of a program that an operator runs: warnings, on standard error. Standard output is for what the program answers, which may
 * be an archive.
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

/** Two lines are the same when their texts are: message, error with the place where it was thrown, and facts such as route, but not amounts. */
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
