/** JDim, a real browser of 2ch, under a display of its own, with an empty home. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
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

/** GTK draws nothing by itself: a screen that changes has an answer to show. */
const GTK_SETTINGS = '[Settings]\ngtk-cursor-blink=false\ngtk-enable-animations=false\n'

/** A screen that stays as it is for this long shows what there is to show. */
const STILL_MS = 1_000
const LOOK_EVERY_MS = 100
/** Only a program that hangs shows nothing for so long. */
const CHANGE_MS = 120_000

/** A place to press, in pixels. */
type Place = readonly [x: number, y: number]

/** Places of a window of 1200 by 850. */
export const PLACES = {
  posts: [700, 700],
  message: [300, 250],
  title: [260, 23],
} as const satisfies Record<string, Place>

export interface JDim {
  /** Opens a board or thread in the running program; again shows what is new. */
  open(url: string): Promise<void>
  /** The bytes that it has stored of a thread; empty before it has read it. */
  stored(board: string, key: string): Buffer
  /** Its log of what it sent, and of the errors it was shown. */
  log(): string
  click(place: Place): Promise<void>
  /** The pointer takes the focus along. */
  press(key: string, place?: Place): Promise<void>
  type(text: string): Promise<void>
  picture(file: string): Promise<void>
  close(): Promise<void>
}

/** @param base address of the server, by number: JDim sends the Host without the port */
export async function openJDim(base: string, boards: readonly string[]): Promise<JDim> {
  const home = mkdtempSync(join(temporary, 'shinobi-jdim-'))
  const cache = join(home, '.cache/jdim')
  mkdirSync(cache, { recursive: true })
  mkdirSync(join(home, '.config/gtk-3.0'), { recursive: true })
  writeFileSync(join(home, '.config/gtk-3.0/settings.ini'), GTK_SETTINGS)
  writeFileSync(join(cache, 'jd.conf'), [`url_bbsmenu = ${base}/bbsmenu.html`, ...SETTINGS, ''].join('\n'))
  writeFileSync(join(cache, 'etc.txt'), boards.flatMap((name) => [name, `${base}/${name}/`, name, '']).join('\n'))

  // Otherwise the screen resets when its last client disconnects (`look`), and drops JDim if it
  // connects meanwhile.
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp', '-noreset'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(screen.stdout, 'data')) as [Buffer]
  const env = { ...process.env, HOME: home, LANG: 'C.UTF-8', DISPLAY: `:${number.toString().trim()}` }

  /** A digest of what is on the screen. */
  async function look(): Promise<string> {
    const { stdout } = await run('import', ['-silent', '-window', 'root', '-depth', '8', 'rgb:-'], {
      ...{ env, encoding: 'buffer', maxBuffer: 8 * 1_048_576 },
    })
    return createHash('sha1').update(stdout).digest('base64')
  }

  /** JDim gives no other sign that it is ready for what comes next. */
  async function untilDrawn(act: () => Promise<unknown>): Promise<void> {
    const before = await look()
    await act()
    const begun = performance.now()
    let [shown, since] = [before, begun]
    while (shown === before || performance.now() - since < STILL_MS) {
      if (performance.now() - begun > CHANGE_MS) throw new Error('JDim shows no answer')
      await setTimeout(LOOK_EVERY_MS)
      const now = await look()
      if (now !== shown) [shown, since] = [now, performance.now()]
    }
  }

  const children: ChildProcess[] = [screen]
  const killAll = (): void => children.forEach((child) => child.kill('SIGKILL'))
  process.once('exit', killAll)
  await untilDrawn(async () => {
    children.unshift(spawn('jdim', ['-s', '-l', '-g', '1200x850-0+0'], { env, stdio: 'ignore' }))
  })

  const xdotool = (...args: string[]) => run('xdotool', args, { env })
  const { host } = new URL(base)
  return {
    // A second start hands the address over to the first, and ends.
    open: (url) => untilDrawn(() => run('jdim', [url], { env })),
    stored(board, key) {
      const file = join(cache, host, board, `${key}.dat`)
      return existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
    },
    log() {
      const file = join(cache, 'log/msglog')
      return existsSync(file) ? readFileSync(file, 'utf8') : ''
    },
    // The next key arrives after it, however long that takes.
    async click([x, y]) {
      await xdotool('mousemove', String(x), String(y), 'click', '1')
    },
    async press(key, [x, y] = PLACES.posts) {
      await untilDrawn(() => xdotool('mousemove', String(x), String(y), 'key', key))
    },
    async type(text) {
      await untilDrawn(() => xdotool('type', '--delay', '60', text))
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
