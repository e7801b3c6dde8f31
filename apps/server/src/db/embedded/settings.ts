/**
 * Settings of the embedded PostgreSQL: durable, with little memory, and without logging what
 * visitors write.
 */

export interface SettingsOptions {
  /** Maximum connections of the board's programs. */
  readonly connections: number
  /** For a throw-away database (tests): commits do not wait for the disk. */
  readonly isThrowaway?: boolean
}

/**
 * For single programs beside the server (`npm run admin`, a backup), with one or two connections
 * each.
 */
const CONNECTIONS_OF_PROGRAMS = 10

/**
 * `name=value` of postgresql.conf, passed at every start, so that they change with the version of
 * the board.
 */
export const settingsFor = ({ connections, isThrowaway = false }: SettingsOptions): readonly string[] => [
  `max_connections=${connections + CONNECTIONS_OF_PROGRAMS}`,
  // Memory only counts once it is used, and a small board never uses all of it. The operating
  // system caches the rest.
  'shared_buffers=64MB',
  'maintenance_work_mem=32MB',
  'min_wal_size=32MB',
  'max_wal_size=256MB',
  // No standby reads the WAL, so no process is started for one.
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_logical_replication_workers=0',
  'max_parallel_workers=0',
  'max_worker_processes=2',
  'autovacuum_max_workers=2',
  // Reads come from the system's cache: three processes that read ahead would only use memory.
  'io_method=sync',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  'lc_messages=C',
  'log_line_prefix=',
  // Errors of statements reach the board through their connection. The log would contain what
  // visitors wrote.
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  ...(isThrowaway ? ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'] : []),
]
