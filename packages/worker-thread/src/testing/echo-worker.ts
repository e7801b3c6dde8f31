/** Answers a number with itself, and others never. */
import { answerQuestions } from '../answer-questions.ts'

answerQuestions((question: unknown) => {
  if (typeof question === 'number') return question
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
