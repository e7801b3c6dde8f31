import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Nothing was typed, or two different passwords. */
export class PasswordNotGiven extends Error {}

export interface Terminal {
  readonly isTTY?: boolean | undefined
}

/**
 * Asks for a new password: on a terminal twice and without showing it, else reads the first line of
 * the input.
 * @throws PasswordNotGiven
 */
export async function askPassword(
  input: NodeJS.ReadableStream & Terminal,
  prompts: NodeJS.WritableStream,
): Promise<string> {
  const isTerminal = input.isTTY === true
  const lines = createInterface({
    input,
    // Keeps the editing keys of the terminal working without showing the text.
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
    terminal: isTerminal,
  })
  // In raw mode Ctrl-C sends no signal.
  lines.on('SIGINT', () => lines.close())
  const typed = lines[Symbol.asyncIterator]()
  const ask = async (prompt: string): Promise<string> => {
    if (isTerminal) prompts.write(prompt)
    const line = await typed.next()
    if (isTerminal) prompts.write('\n')
    if (line.done === true || line.value === '') throw new PasswordNotGiven('No password was given.')
    return line.value
  }
  try {
    const password = await ask('Password: ')
    if (isTerminal && (await ask('Again: ')) !== password) throw new PasswordNotGiven('The passwords differ.')
    return password
  } finally {
    lines.close()
  }
}
