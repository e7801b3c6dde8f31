/**
 * A worker thread for pure work on hostile or slow input, with a limit of memory and time: whatever
 * the input does, the server goes on. The thread starts on demand, answers one question at a time,
 * ends when it is idle, and is replaced when it breaks.
 */
import { Worker } from 'node:worker_threads'

export interface WorkerThreadOptions {
  /** Path of the script, which calls `answerQuestions`. It sees no environment. */
  readonly script: () => string
  /** Of one answer, from its turn on, without the start of the thread. */
  readonly timeoutMs: number
  /** The thread ends after this long without a question. */
  readonly idleMs: number
  readonly memoryMb: number
  /** For what is short-lived. */
  readonly youngMemoryMb: number
}

/**
 * Why there is no answer: `late`, `memory` (too much of it), `ended` (the thread was closed, left
 * by itself or did not start) or `broken` (it threw; the message is its error's).
 */
export class WorkerThreadError extends Error {
  override readonly name = 'WorkerThreadError'
  readonly reason: 'late' | 'memory' | 'ended' | 'broken'

  constructor(reason: WorkerThreadError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Of a thread, from its creation to its being ready. It takes a second at most, but ten and more on
 * a machine that has much else to do, which is no fault of the input.
 */
const START_TIMEOUT_MS = 60_000

/** The creator must close it. */
export interface WorkerThread<Question, Answer> {
  /** @throws {WorkerThreadError} */
  ask(question: Question): Promise<Answer>
  /** Ends the thread. A question under way fails; the next one starts a new thread. */
  close(): Promise<void>
}

export function createWorkerThread<Question, Answer>(options: WorkerThreadOptions): WorkerThread<Question, Answer> {
  const { script, timeoutMs, idleMs, memoryMb, youngMemoryMb } = options
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()

  function forget(ended: Worker): void {
    if (worker === ended) worker = null
  }

  function start(): Worker {
    const started = new Worker(script(), {
      // What handles the input must not reach the server's secrets.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMemoryMb, stackSizeMb: 4 },
    })
    // `messageOf` reports the error to the caller of the question under way.
    started.on('error', () => forget(started))
    started.on('exit', () => forget(started))
    return started
  }

  async function end(): Promise<void> {
    const ended = worker
    worker = null
    await ended?.terminate()
  }

  /** The next message of a thread, which is ended when it does not come in time. */
  function messageOf<Message>(from: Worker, withinMs: number, late: WorkerThreadError): Promise<Message> {
    const { promise, resolve, reject } = Promise.withResolvers<Message>()
    const timer = setTimeout(() => {
      forget(from)
      reject(late)
      void from.terminate()
    }, withinMs)
    const onError = (error: Error & { readonly code?: string }): void =>
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new WorkerThreadError('memory', 'took too much memory')
          : new WorkerThreadError('broken', error.message),
      )
    const onExit = (): void => reject(new WorkerThreadError('ended', 'was cut short'))
    from.once('message', resolve)
    from.once('error', onError)
    from.once('exit', onExit)
    return promise.finally(() => {
      clearTimeout(timer)
      from.off('message', resolve)
      from.off('error', onError)
      from.off('exit', onExit)
    })
  }

  async function askNow(question: Question): Promise<Answer> {
    clearTimeout(idle)
    const isNew = worker === null
    worker ??= start()
    const asked = worker
    // Keeps the process alive while a question is under way, but not for an idle thread.
    asked.ref()
    try {
      if (isNew) await messageOf(asked, START_TIMEOUT_MS, new WorkerThreadError('ended', 'did not start'))
      const late = new WorkerThreadError('late', `took more than ${timeoutMs} ms`)
      const answer = messageOf<Answer>(asked, timeoutMs, late)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      asked.postMessage(question)
      return await answer
    } finally {
      asked.unref()
      idle = setTimeout(() => void end(), idleMs).unref()
    }
  }

  return {
    ask(question) {
      const asking = turn.then(() => askNow(question))
      turn = asking.catch(() => {})
      return asking
    },
    async close() {
      clearTimeout(idle)
      await end()
    },
  }
}
