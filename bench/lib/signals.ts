/** Ctrl-C and its like end the program, once what it has started is stopped. */
import { cleanUp } from './cleanup.ts'

const SIGNALS = [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const

export interface Signals {
  /** One has come: what fails from now on fails because of it. */
  readonly isStopping: boolean
}

export function endOnSignals(): Signals {
  const state = { isStopping: false }
  for (const [signal, number] of SIGNALS) {
    // The same Ctrl-C may come twice, from the terminal and from the program that started this one.
    process.on(signal, () => {
      if (state.isStopping) return
      state.isStopping = true
      void cleanUp().finally(() => process.exit(128 + number))
    })
  }
  return state
}
