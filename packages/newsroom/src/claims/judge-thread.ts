/**
 * Judges summaries, and compares reports, in a worker thread: the dictionary of the analyser is
 * large, and an answer of a model may be hostile.
 */
import { createRequire } from 'node:module'
import { createWorkerThread, WorkerThreadError } from '@shinobi/worker-thread/worker-thread'
import type { ArticleDocument, StorySummary } from '../documents.ts'
import { FOUND } from './advice.ts'
import type { Judgement } from './judge.ts'
import type { Report } from './other-event.ts'

/** A question to the worker thread: what an answer is worth, or whether reports differ. */
export type Question =
  | { readonly document: ArticleDocument; readonly answer: StorySummary }
  | { readonly reports: readonly [Report, Report] }

/** The creator must close it. */
export interface Judge {
  /** An answer that breaks the thread is refused. Rejects when the thread was closed meanwhile. */
  judge(document: ArticleDocument, answer: StorySummary): Promise<Judgement>
  /** Whether reports tell of different events; those that break the thread do. Rejects likewise. */
  isOtherEvent(one: Report, other: Report): Promise<boolean>
  /** Ends the thread; the next question starts a new one. */
  close(): Promise<void>
}

/** An answer takes 50 ms, and the first one half a second for the dictionary. */
const LIMITS = { timeoutMs: 20_000, idleMs: 60_000, memoryMb: 256, youngMemoryMb: 32 }

export function createJudge(): Judge {
  const thread = createWorkerThread<Question, Judgement | boolean>({
    // Resolved by package name, because a bundle that includes this module lies elsewhere.
    script: () => createRequire(import.meta.url).resolve('@shinobi/newsroom/claims/judge-worker'),
    ...LIMITS,
  })
  /** The answer of the thread; `broken` when it broke at the question. */
  async function ask<T>(question: Question, broken: (message: string) => T): Promise<T> {
    try {
      return (await thread.ask(question)) as T
    } catch (error) {
      if (!(error instanceof WorkerThreadError) || error.reason === 'ended') throw error
      return broken(error.message)
    }
  }
  return {
    judge: (document, answer) =>
      ask<Judgement>({ document, answer }, (message) => ({
        summary: null,
        findings: [`${FOUND.unjudged}（${message}）。`],
      })),
    isOtherEvent: (one, other) => ask<boolean>({ reports: [one, other] }, () => true),
    close: () => thread.close(),
  }
}
