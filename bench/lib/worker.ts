/**
 * Load generators and references run in processes of their own: both sides of the calls to them.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { onEnd } from './cleanup.ts'

// Methods, so that every worker's own argument types fit.
type Calls = Record<string, (input: never) => unknown>

interface Answer {
  readonly call: number
  readonly result?: unknown
  readonly problem?: string
}

export interface Worker<C extends Calls> {
  readonly pid: number
  call<N extends keyof C & string>(name: N, input: Parameters<C[N]>[0]): Promise<Awaited<ReturnType<C[N]>>>
  stop(): void
}

/** Starts bench/workers/<name>.ts. */
export function startWorker<C extends Calls>(name: string): Worker<C> {
  const child = fork(join(import.meta.dirname, '../workers', `${name}.ts`), { serialization: 'advanced' })
  const open = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  let calls = 0
  child.on('message', ({ call, result, problem }: Answer) => {
    const waiting = open.get(call)
    open.delete(call)
    if (problem === undefined) waiting?.resolve(result as never)
    else waiting?.reject(new Error(`${name}: ${problem}`))
  })
  child.on('exit', (code, signal) => {
    for (const { reject } of open.values()) reject(new Error(`${name} ended (${signal ?? code})`))
    open.clear()
  })
  const forget = onEnd(() => child.kill('SIGKILL'))
  return {
    pid: child.pid!,
    call(method, input) {
      calls += 1
      const { promise, resolve, reject } = Promise.withResolvers<never>()
      open.set(calls, { resolve, reject })
      child.send({ call: calls, method, input })
      return promise
    },
    stop() {
      forget()
      child.kill('SIGKILL')
    },
  }
}

/** Answers the calls of the parent process, and ends with it. */
export function answerCalls<C extends Calls>(calls: C): C {
  const answer = async ({ call, method, input }: { call: number; method: string; input: never }): Promise<void> => {
    try {
      process.send?.({ call, result: await calls[method]!(input) })
    } catch (error) {
      process.send?.({ call, problem: (error as Error).stack ?? String(error) })
    }
  }
  process.on('message', (message) => void answer(message as Parameters<typeof answer>[0]))
  process.on('disconnect', () => process.exit(1))
  // Ctrl-C in the terminal reaches the bench too, which stops this process.
  process.on('SIGINT', () => {})
  return calls
}
