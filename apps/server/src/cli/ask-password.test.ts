import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { askPassword } from './ask-password.ts'

/** A terminal at which the given lines are typed, each after its prompt. */
function sitAt(...lines: string[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const output = new PassThrough()
  let shown = ''
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
    if (shown.endsWith(': ')) input.write(lines.shift() ?? '\u0003')
  })
  return { input, output, shown: () => shown }
}

it('on a terminal it asks twice, and does not show what is typed', async () => {
  const { input, output, shown } = sitAt('合言葉x\u007f 42\r', '合言葉 42\r')
  expect(await askPassword(input, output)).toBe('合言葉 42')
  expect(shown()).toBe('Password: \nAgain: \n')
})

it.each([
  ['types differently the second time', ['合言葉 42\r', '合言葉 43\r'], 'The passwords differ.'],
  ['types nothing', ['\r'], 'No password was given.'],
  ['breaks off', ['合言葉\u0003'], 'No password was given.'],
])('a user who %s sets no password', async (_, lines, message) => {
  const { input, output } = sitAt(...lines)
  await expect(askPassword(input, output)).rejects.toThrow(message)
})

it('on a pipe it reads the first line without asking', async () => {
  const input = new PassThrough()
  const output = new PassThrough()
  input.end('合言葉 42\nmore\n')
  expect(await askPassword(input, output)).toBe('合言葉 42')
  expect(output.read()).toBeNull()
})
