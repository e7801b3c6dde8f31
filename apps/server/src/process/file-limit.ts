/**
 * The limit of open files of this process. Each connection uses a descriptor, and without a free
 * one no connection is accepted.
 */
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { Logger } from 'pino'

/**
 * Fewer suffice for a private board only: a thousand open pages, their requests, the database and
 * the files of the board itself.
 */
export const FEW_FILES = 4_096
/** Share of the files that connections may take before those that wait give way. */
const FOR_CONNECTIONS = 0.8
/** Files and links to the database of a board without visitors. */
const OWN_FILES = 64
/** Share of open files from which on a warning is logged. */
const NEARLY_ALL = 0.9
const LOOK_EVERY_MS = 10_000

/** The soft limit; null where the system does not report it (only Linux does), or has none. */
export function readFileLimit(path = '/proc/self/limits'): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1]
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}

/** How many connections may be open before those that wait are closed; null without a limit. */
export function readConnectionLimit(limit = readFileLimit()): number | null {
  return limit === null ? null : Math.max(1, Math.floor(Math.min(limit * FOR_CONNECTIONS, limit - OWN_FILES)))
}

const REMEDY = 'raise LimitNOFILE= of the systemd unit, or `ulimit -Hn`'

/** Call it once for all processes of the board, which have the same limit. */
export function warnOfFewFiles(log: Pick<Logger, 'warn'>, limit = readFileLimit()): void {
  if (limit === null || limit >= FEW_FILES) return
  log.warn({ limit }, `only ${limit} files may be open at a time, and each visitor uses one or more: ${REMEDY}`)
}

/** Logs a warning whenever nearly all files are open. */
export function watchOpenFiles(log: Pick<Logger, 'warn'>): void {
  const limit = readFileLimit()
  if (limit === null) return
  async function look(most: number): Promise<void> {
    try {
      const open = (await readdir('/proc/self/fd')).length
      if (open >= most * NEARLY_ALL) log.warn({ open, limit }, `nearly all file descriptors are in use: ${REMEDY}`)
    } catch (error) {
      log.warn({ err: error, limit }, `no more files can be opened, and connections are refused: ${REMEDY}`)
    }
  }
  setInterval(() => void look(limit), LOOK_EVERY_MS).unref()
}
