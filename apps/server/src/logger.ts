import { destination, pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from './config.ts'
import { describeError } from './lib/describe-error.ts'

/** The server's log, one line of JSON an event. What is personal is kept out of it where it is written; this keeps out what libraries would write. */
export const createLogger = ({ logLevel }: Pick<Config, 'logLevel'>, to: DestinationStream = destination()): Logger =>
  pino(
    {
      level: logLevel,
      serializers: { err: describeError },
      // The parser of forms traces the headers of each, cookies among them.
      redact: { paths: ['busboyOptions.headers'], remove: true },
    },
    to,
  )
