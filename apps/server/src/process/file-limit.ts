/** How many files this process may have open. Each connection of a visitor is one, and without a free one nobody is let in. */
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { Logger } from 'pino'

/** Fewer are enough for a private board only: a thousand open pages, their requests, the database and the files of the board itself. */
export const FEW_FILES = 4_096
/** With so large a part of them open it is time to say so. */
const NEARLY_ALL = 0.9
const LOOK_EVERY_MS = 10_000

/** The soft limit; null where the system does not tell (only Linux does), or has none. */
export function readFileLimit(path = '/proc/self/limits'): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1]
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}

const REMEDY = 'raise LimitNOFILE= of the systemd unit, or `ulimit -Hn`'

/** To be called once for all processes of the board, which have the same limit. */
export function warnOfFewFiles(log: Pick<Logger, 'warn'>, limit = readFileLimit()): void {
  if (limit === null || limit >= FEW_FILES) return
  log.warn({ limit }, `only ${limit} files may be open at a time, and each visitor takes one or more: ${REMEDY}`)
}

/** Warns from now on whenever nearly all files are open. */
export function watchOpenFiles(log: Pick<Logger, 'warn'>): void {
  const limit = readFileLimit()
  if (limit === null) return
  async function look(most: number): Promise<void> {
    try {
      const open = (await readdir('/proc/self/fd')).length
      if (open >= most * NEARLY_ALL) log.warn({ open, limit }, `nearly as many files are open as may be: ${REMEDY}`)
    } catch (error) {
      log.warn({ err: error, limit }, `no more files can be opened, and visitors are turned away: ${REMEDY}`)
    }
  }
  setInterval(() => void look(limit), LOOK_EVERY_MS).unref()
}
