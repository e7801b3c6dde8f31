/**
 * Judges summaries in a worker thread: the dictionary of the analyser is large, and an answer of a
 * model may be hostile.
 */
import { createRequire } from 'node:module'
import { createWorkerThread, WorkerThreadError } from '@shinobi/worker-thread/worker-thread'
import type { ArticleDocument, StorySummary } from '../documents.ts'
import { FOUND } from './advice.ts'
import type { Judgement } from './judge.ts'

/** A question to the worker thread; it answers with a judgement. */
export interface Question {
  readonly document: ArticleDocument
  readonly answer: StorySummary
}

/** The creator must close it. */
export interface Judge {
  /** An answer that breaks the thread is refused. Rejects when the thread was closed meanwhile. */
  judge(document: ArticleDocument, answer: StorySummary): Promise<Judgement>
  /** Ends the thread; the next question starts a new one. */
  close(): Promise<void>
}

/** An answer takes 50 ms, and the first one half a second for the dictionary. */
const LIMITS = { timeoutMs: 20_000, idleMs: 60_000, memoryMb: 256, youngMemoryMb: 32 }

export function createJudge(limits: Partial<typeof LIMITS> = {}): Judge {
  const thread = createWorkerThread<Question, Judgement>({
    // Resolved by package name, because a bundle that includes this module lies elsewhere.
    script: () => createRequire(import.meta.url).resolve('@shinobi/newsroom/claims/judge-worker'),
    ...LIMITS,
    ...limits,
  })
  return {
    async judge(document, answer) {
      try {
        return await thread.ask({ document, answer })
      } catch (error) {
        if (!(error instanceof WorkerThreadError) || error.reason === 'ended') throw error
        return { summary: null, findings: [`${FOUND.unjudged}（${error.message}）。`] }
      }
    },
    close: () => thread.close(),
  }
}
