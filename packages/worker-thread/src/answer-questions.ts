import { parentPort } from 'node:worker_threads'

/**
 * Makes the script of a worker thread (worker-thread.ts) answer one question after the other. It is
 * the last call of the script: the thread is ready then, and the time of an answer begins.
 */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const send = (message: Answer | 'ready'): void => parentPort?.postMessage(message)
  parentPort?.on('message', (question: Question) => send(answer(question)))
  send('ready')
}
