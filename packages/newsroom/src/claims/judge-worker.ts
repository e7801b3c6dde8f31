/** The worker thread of judge-thread.ts: judges one answer after the other. */
import { parentPort } from 'node:worker_threads'
import type { Question } from './judge-thread.ts'
import { judgeSummary } from './judge.ts'

parentPort?.on('message', ({ document, answer }: Question) =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(judgeSummary(document, answer)),
)
