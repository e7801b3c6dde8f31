/** The worker thread of judge-thread.ts: answers one question after the other. */
import { parentPort } from 'node:worker_threads'
import type { Question } from './judge-thread.ts'
import { judgeSummary } from './judge.ts'
import { isOtherEvent } from './other-event.ts'

const answerOf = (question: Question) =>
  'reports' in question ? isOtherEvent(...question.reports) : judgeSummary(question.document, question.answer)

parentPort?.on('message', (question: Question) =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(answerOf(question)),
)
