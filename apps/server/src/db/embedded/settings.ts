/** How the embedded PostgreSQL is set up: durable, on little memory, silent about what visitors write. */

export interface SettingsOptions {
  /** Connections that the programs of the board open at most. */
  readonly connections: number
  /** For a database that is thrown away (tests): a commit does not wait for the disk. */
  readonly isThrowaway?: boolean
}

/** For single programs beside the server (`npm run admin`, a backup), each with a connection or two. */
const CONNECTIONS_OF_PROGRAMS = 10

/** `name=value` of postgresql.conf, given at every start, so that a new version of the board brings its own. */
export const settingsFor = ({ connections, isThrowaway = false }: SettingsOptions): readonly string[] => [
  `max_connections=${connections + CONNECTIONS_OF_PROGRAMS}`,
  // Memory that is used is counted; a small board never touches all of it. The system's cache holds the rest.
  'shared_buffers=64MB',
  'maintenance_work_mem=32MB',
  'min_wal_size=32MB',
  'max_wal_size=256MB',
  // No standby reads this log, and no background process is started for one.
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_logical_replication_workers=0',
  'max_parallel_workers=0',
  'max_worker_processes=2',
  'autovacuum_max_workers=2',
  // Reads come from the system's cache: three processes that read ahead would only take memory.
  'io_method=sync',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  'lc_messages=C',
  'log_line_prefix=',
  // Errors of statements reach the board by their connection. Here they would put what visitors wrote into the log.
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  ...(isThrowaway ? ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'] : []),
]
