/** The other end of extract.ts: reads one page or feed after the other. */
import { parentPort } from 'node:worker_threads'
import { NewsRefusal } from '../news-refusal.ts'
import type { Answer, Question } from './extract.ts'
import { readFeed } from './feeds.ts'
import { readPage } from './read-page.ts'

function answer(question: Question): Answer {
  try {
    return {
      read:
        question.kind === 'page'
          ? readPage(question, question.now)
          : readFeed(question.text, question.url, question.now),
    }
  } catch (error) {
    // Whatever makes the parsers stumble, it is a page without an article, or no feed, to us.
    const message = error instanceof Error ? error.message : String(error)
    return { problem: error instanceof NewsRefusal ? error.problem : null, message }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)))
