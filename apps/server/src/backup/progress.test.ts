import { expect, it } from 'vitest'
import { createProgress, describeBytes } from './progress.ts'

function watch(isTTY: boolean, everyMs: number): string[] {
  const written: string[] = []
  let clock = 0
  const to = { isTTY, write: (text: string) => written.push(text) > 0 }
  const progress = createProgress(to, () => clock)
  for (let step = 1; step <= 4; step += 1) {
    clock += everyMs
    progress.show('posts', step / 4)
  }
  progress.end()
  return written
}

it('a terminal shows a bar that is redrawn in place, and removed at the end', () => {
  const lines = watch(true, 60)
  expect(lines).toEqual([
    `\r\u001b[K[${'#'.repeat(15)}${' '.repeat(15)}] 50 % posts`,
    `\r\u001b[K[${'#'.repeat(30)}]100 % posts`,
    '\r\u001b[K',
  ])
})

it('a log gets a line now and then, and none for a step of seconds', () => {
  expect(watch(false, 6_000)).toEqual([' 50 % posts\n', '100 % posts\n'])
  expect(watch(false, 1_000)).toEqual([])
})

it('bytes are shown in round numbers', () => {
  expect([0, 999, 1_000, 1_234_567, 21_000_000_000].map(describeBytes)).toEqual([
    ...['0 bytes', '999 bytes', '1.0 kB', '1.2 MB', '21.0 GB'],
  ])
})
