import type { Answers } from './back-links.ts'

/** Answers shown at once in the levels below the first; the others open with a press. */
const OPENED_MAX = 40

/**
 * The places in the tree of answers that are open from the start, as paths of numbers ("3/5/9"):
 * level by level, until they hold enough posts.
 */
export function autoOpened(answers: Answers, root: number, max = OPENED_MAX): ReadonlySet<string> {
  const opened = new Set<string>()
  const waiting = (answers.get(root) ?? []).map((number) => ({ number, path: `${root}/${number}` }))
  let shown = 0
  for (const { number, path } of waiting) {
    const below = answers.get(number) ?? []
    if (below.length === 0) continue
    shown += below.length
    if (shown > max) break
    opened.add(path)
    for (const answer of below) waiting.push({ number: answer, path: `${path}/${answer}` })
  }
  return opened
}
