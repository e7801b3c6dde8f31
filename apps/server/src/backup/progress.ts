/** Progress of a backup or restore: one bar in a terminal, a few lines in a log. */
import type { WriteStream } from 'node:tty'

export interface Progress {
  /** @param share from 0 to 1; null where the end is unknown */
  show(what: string, share: number | null): void
  /** Clears the terminal's line for further output. */
  end(): void
}

const WIDTH = 30
const BAR_EVERY_MS = 100
const LINE_EVERY_MS = 10_000

/** @param to standard error, because standard output may be the archive */
export function createProgress(to: Pick<WriteStream, 'isTTY' | 'write'>, now: () => number = Date.now): Progress {
  const everyMs = to.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS
  let shownAt = now()
  return {
    show(what, share) {
      if (now() - shownAt < everyMs) return
      shownAt = now()
      to.write(to.isTTY ? `\r\u001b[K${bar(share)}${what}` : `${percent(share)}${what}\n`)
    },
    end() {
      if (to.isTTY) to.write('\r\u001b[K')
    },
  }
}

const percent = (share: number | null): string =>
  share === null ? '' : `${String(Math.floor(share * 100)).padStart(3)} % `

function bar(share: number | null): string {
  if (share === null) return ''
  const done = Math.floor(share * WIDTH)
  return `[${'#'.repeat(done)}${' '.repeat(WIDTH - done)}]${percent(share)}`
}

/** 1,234,567 bytes are 1.2 MB. */
export function describeBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return `${power === 0 ? bytes : (bytes / 1_000 ** power).toFixed(1)} ${units[power]}`
}
