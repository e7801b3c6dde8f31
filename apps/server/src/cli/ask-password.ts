import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Nothing was typed, or it was typed differently the second time. */
export class PasswordNotGiven extends Error {}

export interface Terminal {
  readonly isTTY?: boolean | undefined
}

/**
 * Asks for a new password: on a terminal twice and without showing it, else the first line of what is piped in.
 * @throws PasswordNotGiven
 */
export async function askPassword(
  input: NodeJS.ReadableStream & Terminal,
  prompts: NodeJS.WritableStream,
): Promise<string> {
  const isTerminal = input.isTTY === true
  const lines = createInterface({
    input,
    // The terminal's editing keys work, and what they would show goes nowhere.
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
    terminal: isTerminal,
  })
  // Ctrl-C in raw mode is only a key.
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
