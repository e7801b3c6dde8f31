/** The worker thread of extract.ts: reads one page or feed after the other. */
import { answerQuestions } from '@shinobi/worker-thread/answer-questions'
import { NewsRefusal } from '../news-refusal.ts'
import type { Answer, Question } from './extract.ts'
import { readFeed } from './feeds.ts'
import { readPage } from './read-page.ts'

function answer(question: Question): Answer {
  try {
    return { read: question.kind === 'page' ? readPage(...question.input) : readFeed(...question.input) }
  } catch (error) {
    // Any error of the parsers means that the page has no article, or that the text is no feed.
    const message = error instanceof Error ? error.message : String(error)
    return { problem: error instanceof NewsRefusal ? error.problem : null, message }
  }
}

answerQuestions(answer)
