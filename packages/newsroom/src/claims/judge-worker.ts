/** The worker thread of judge-thread.ts: answers one question after the other. */
import { answerQuestions } from '@shinobi/worker-thread/answer-questions'
import type { Question } from './judge-thread.ts'
import { judgeSummary } from './judge.ts'
import { isOtherEvent } from './other-event.ts'

answerQuestions((question: Question) =>
  'reports' in question ? isOtherEvent(...question.reports) : judgeSummary(question.document, question.answer),
)
