/** Parses the answer of a language model: JSON, or text that contains JSON. */
import { z } from 'zod'
import type { StorySummary } from '../documents.ts'
import type { AnswerForm } from './model.ts'

/**
 * The schema that the model gets. Limits are left to the checker, because many endpoints only
 * understand plain schemas.
 */
const summarySchema = z.object({
  title: z.string(),
  sentences: z.array(z.object({ text: z.string(), quote: z.string() })),
})

/** Five sentences with their quotes. */
export const SUMMARY_FORM: AnswerForm = { name: 'summary', schema: summarySchema, room: 1_200, roomToThink: 4_800 }

/**
 * Maximum bytes of an answer, including the model's thoughts; five sentences with their quotes need
 * less than ten thousand.
 */
const ANSWER_BYTES_MAX = 100_000
/** An answer with more sentences is refused: searching the article for each would take long. */
const SENTENCES_READ_MAX = 20
/** Places in an answer at which the JSON may begin. */
const STARTS_MAX = 20

/** The summary in an answer; null when none can be parsed without guessing. */
export function readAnswer(answer: string): StorySummary | null {
  const summary = readJson(answer, summarySchema)
  return summary === null || summary.sentences.length > SENTENCES_READ_MAX ? null : tidy(summary)
}

/** The first object of this form in an answer; null without one. */
export function readJson<T>(answer: string, schema: z.ZodType<T>): T | null {
  if (Buffer.byteLength(answer) > ANSWER_BYTES_MAX) return null
  const text = withoutThoughts(answer)
  let starts = 0
  for (let start = text.indexOf('{'); start !== -1 && starts < STARTS_MAX; start = text.indexOf('{', start + 1)) {
    starts += 1
    const end = endOfObject(text, start)
    if (end === null) continue
    const read = schema.safeParse(parse(text.slice(start, end)))
    if (read.success) return read.data
  }
  return null
}

/**
 * Removes the thoughts that some models put before their answer; some templates swallow the opening
 * tag.
 */
function withoutThoughts(text: string): string {
  const end = text.lastIndexOf('</think>')
  return end === -1 ? text.replace(/<think>[\s\S]*$/u, '') : text.slice(end + '</think>'.length)
}

/**
 * The index after the brace that closes the object starting here; null when it is never closed.
 * Braces within strings do not count.
 */
function endOfObject(text: string, start: number): number | null {
  let depth = 0
  let isString = false
  for (let at = start; at < text.length; at += 1) {
    const char = text[at]
    if (isString && char === '\\') at += 1
    else if (char === '"') isString = !isString
    else if (isString) continue
    else if (char === '{') depth += 1
    else if (char === '}') depth -= 1
    if (depth === 0) return at + 1
  }
  return null
}

/**
 * Parses JSON as models write it: a comma before a closing bracket is the only error that can be
 * corrected without guessing.
 */
function parse(json: string): unknown {
  for (const text of [json, json.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/gsu, '$1')]) {
    try {
      return JSON.parse(text)
    } catch {
      // The next candidate may succeed.
    }
  }
  return null
}

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim()

const tidy = ({ title, sentences }: StorySummary): StorySummary => ({
  title: oneLine(title),
  sentences: sentences.map(({ text, quote }) => ({ text: oneLine(text), quote: quote.trim() })),
})
