/**
 * A process that sends the mails that are due at NOW, for tests that kill it meanwhile. It has the
 * settings of the server.
 */
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { readConfig } from '../config.ts'
import { openDatabase } from '../db/client.ts'
import { createMailer } from '../features/accounts/mailer.ts'
import { createMailMetrics } from '../features/accounts/mails.metrics.ts'
import { createMails } from '../features/accounts/mails.service.ts'

const config = readConfig(process.env)
const { db, close } = openDatabase({ url: config.databaseUrl!, pool: 2 })
const mails = createMails({
  ...{ db, config, log: pino({ level: 'silent' }), now: () => Number(process.env['NOW']) },
  ...{ mailer: createMailer(config)!, secret: config.sessionSecret!, metrics: createMailMetrics(new Registry(), db) },
})
await mails.settle()
await mails.close()
await close()
