/** Ctrl-C and similar signals end the program after its children are stopped. */
import { cleanUp } from './cleanup.ts'

const SIGNALS = [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const

export interface Signals {
  /** A signal has arrived: later failures are caused by it. */
  readonly isStopping: boolean
}

export function endOnSignals(): Signals {
  const state = { isStopping: false }
  for (const [signal, number] of SIGNALS) {
    // The same Ctrl-C may arrive twice, from the terminal and from the parent program.
    process.on(signal, () => {
      if (state.isStopping) return
      state.isStopping = true
      void cleanUp().finally(() => process.exit(128 + number))
    })
  }
  return state
}
