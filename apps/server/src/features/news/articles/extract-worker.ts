/** The other end of extract.ts: reads one page after the other. */
import { parentPort } from 'node:worker_threads'
import { NewsRefusal } from '../news.refusal.ts'
import type { PageAnswer, PageQuestion } from './extract.ts'
import { readPage } from './read-page.ts'

function answer({ html, url }: PageQuestion): PageAnswer {
  try {
    return { document: readPage(html, url) }
  } catch (error) {
    // Whatever a page makes the parsers stumble over, it is a page without an article to us.
    const message = error instanceof Error ? error.message : String(error)
    return { problem: error instanceof NewsRefusal ? error.problem : 'no_text', message }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.on('message', (question: PageQuestion) => parentPort?.postMessage(answer(question)))
