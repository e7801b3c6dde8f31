/** JDim, a real browser of 2ch, under a display of its own, with an empty home. */
import { spawn, type ChildProcess } from 'node:child_process'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { temporary } from '../../scripts/temporary.mjs'

const run = promisify(execFile)

/** What keeps JDim from asking, and makes the links of the menu boards. */
const SETTINGS = [
  ...['use_link_as_board = 1', 'always_write_ok = 1', 'hide_writing_dialog = 1', 'show_savemsgdiag = 0'],
  ...['instruct_tglart = 0', 'instruct_tglimg = 0', 'instruct_popup = 0'],
]

/** A place to press, in pixels. */
type Place = readonly [x: number, y: number]

/** Places of a window of 1200 by 850. */
export const PLACES = {
  posts: [700, 700],
  message: [300, 250],
  title: [260, 23],
} as const satisfies Record<string, Place>

export interface JDim {
  /** Opens a board or thread in the running program; again reads what is new. */
  open(url: string): Promise<void>
  /** The bytes that it has stored of a thread; empty before it has read it. */
  stored(board: string, key: string): Buffer
  /** Its log of what it sent, and of the errors it was shown. */
  log(): string
  /** Moves the pointer, which takes the focus along. */
  point(place: Place): Promise<void>
  click(place: Place): Promise<void>
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  picture(file: string): Promise<void>
  close(): Promise<void>
}

/** JDim gives no sign that it is ready for what comes next. */
const settle = (): Promise<void> => setTimeout(4_000)
const pause = (): Promise<void> => setTimeout(500)

/** @param base address of the server, by number: JDim sends the Host without the port */
export async function openJDim(base: string, boards: readonly string[]): Promise<JDim> {
  const home = mkdtempSync(join(temporary, 'shinobi-jdim-'))
  const cache = join(home, '.cache/jdim')
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'jd.conf'), [`url_bbsmenu = ${base}/bbsmenu.html`, ...SETTINGS, ''].join('\n'))
  writeFileSync(join(cache, 'etc.txt'), boards.flatMap((name) => [name, `${base}/${name}/`, name, '']).join('\n'))

  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(screen.stdout, 'data')) as [Buffer]
  const env = { ...process.env, HOME: home, LANG: 'C.UTF-8', DISPLAY: `:${number.toString().trim()}` }
  const program: ChildProcess = spawn('jdim', ['-s', '-l', '-g', '1200x850-0+0'], { env, stdio: 'ignore' })
  const children = [program, screen]
  const killAll = (): void => children.forEach((child) => child.kill('SIGKILL'))
  process.once('exit', killAll)
  await settle()

  const xdotool = (...args: string[]) => run('xdotool', args, { env })
  const { host } = new URL(base)
  return {
    async open(url) {
      // A second start hands the address over to the first, and ends.
      await run('jdim', [url], { env })
      await settle()
    },
    stored(board, key) {
      const file = join(cache, host, board, `${key}.dat`)
      return existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
    },
    log() {
      const file = join(cache, 'log/msglog')
      return existsSync(file) ? readFileSync(file, 'utf8') : ''
    },
    async point([x, y]) {
      await xdotool('mousemove', String(x), String(y))
      await pause()
    },
    async click([x, y]) {
      await xdotool('mousemove', String(x), String(y), 'click', '1')
      await pause()
    },
    async press(key) {
      await xdotool('key', key)
      await settle()
    },
    async type(text) {
      await xdotool('type', '--delay', '60', text)
      await pause()
    },
    async picture(file) {
      mkdirSync(dirname(file), { recursive: true })
      await run('import', ['-window', 'root', file], { env })
    },
    async close() {
      process.off('exit', killAll)
      for (const child of children) {
        const gone = once(child, 'exit')
        child.kill('SIGTERM')
        await gone
      }
      rmSync(home, { recursive: true, force: true })
    },
  }
}
