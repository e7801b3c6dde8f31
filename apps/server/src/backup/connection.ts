/** A separate connection to the board's database, which COPY needs. */
import pg from 'pg'

/** Shown in pg_stat_activity, and used to find running servers. */
const APPLICATION_NAME = 'shinobi-ita backup'

/**
 * Values in a text form that every version of PostgreSQL reads back as the same values, whatever
 * the settings of server and role; and no statement time-out, because a large board takes longer
 * than any query of the server may.
 */
const SESSION = {
  ...{
    DateStyle: 'ISO, YMD',
    IntervalStyle: 'postgres',
    TimeZone: 'UTC',
    extra_float_digits: '1',
    bytea_output: 'hex',
  },
  ...{ statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' },
}

/** Runs work on a connection, which is closed afterwards. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: APPLICATION_NAME, keepAlive: true })
  // A broken connection rejects the query under way; without a listener its error would end the
  // process.
  client.on('error', () => {})
  await client.connect()
  try {
    for (const [name, value] of Object.entries(SESSION)) {
      await client.query('select set_config($1, $2, false)', [name, value])
    }
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
