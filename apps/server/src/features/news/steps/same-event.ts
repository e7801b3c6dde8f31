/**
 * Finds the story of an article that tells the same event in words of its own, by an embedding
 * model. Rules about times, numbers and names have the last word (claims/other-event.ts).
 */
import { isForeign } from '@shinobi/newsroom/claims/language'
import type { Report } from '@shinobi/newsroom/claims/other-event'
import { cosineOf, type Vector } from '@shinobi/newsroom/summaries/embedder'
import { recordEmbedding, selectEmbeddings, selectReports, type ReportRow } from './gathering.queries.ts'
import type { Run, StepDeps } from './run.ts'

/** Characters of an article that are embedded, after its title: they tell the whole news. */
const LEAD = 400

/**
 * The least cosine of two reports of one event. Models differ: of some all news are alike, so that
 * reports must also stand out from the other stories, by this share of the way that is left to 1.
 * Both are on the safe side, and not measured on a real model: two threads on one event cost less
 * than one thread on two.
 */
const SAME_EVENT = 0.78
const STANDS_OUT = 0.6
/** With fewer stories nothing can stand out from them. */
const STORIES_MIN = 10
/** Articles of which the rules are asked at most. */
const NEAREST = 20

const toText = ({ title, text }: Report): string => `${title}\n${text.slice(0, LEAD)}`
const toStored = (vector: Vector): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
const fromStored = (stored: string): Vector => new Float32Array(new Uint8Array(Buffer.from(stored, 'base64')).buffer)

/**
 * The vectors of these articles and of the stories since a time, by id; a story has the id of its
 * first article. Without the endpoint there are none of these articles, and other rules decide.
 */
export async function embedArticles(
  { db }: Pick<StepDeps, 'db'>,
  run: Run,
  ids: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, Vector>> {
  const vectors = new Map<string, Vector>()
  const { embedder } = run
  if (embedder === null) return vectors
  const { model } = embedder
  for (const { id, vector } of await selectEmbeddings(db, model, since)) vectors.set(id, fromStored(vector))
  const missing: ReportRow[] = []
  for (const report of await selectReports(db, ids)) {
    const { id, text, embedding } = report
    if (embedding?.model === model) vectors.set(id, fromStored(embedding.vector))
    // The rules cannot compare the numbers and names of other languages.
    else if (!isForeign(text)) missing.push(report)
  }
  const made = await run.wait(embedder.embed(missing.map(toText)))
  for (const [index, vector] of made.entries()) {
    if (vector === null) continue
    const { id } = missing[index]!
    await recordEmbedding(db, id, { model, vector: toStored(vector) })
    vectors.set(id, vector)
  }
  return vectors
}

/** The story of another article on the same event; null without one. */
export async function findSameEvent(
  { db }: Pick<StepDeps, 'db'>,
  run: Run,
  id: string,
  vectors: ReadonlyMap<string, Vector>,
): Promise<string | null> {
  const near = nearestTo(id, vectors)
  if (near.length === 0) return null
  const reports = new Map((await selectReports(db, [id, ...near])).map((report) => [report.id, report]))
  const report = reports.get(id)
  if (report === undefined) return null
  for (const other of near) {
    const story = reports.get(other)
    if (story?.isStory === true && !(await run.wait(run.judge.isOtherEvent(report, story)))) return other
  }
  return null
}

/** The ids of vectors that are near enough, the nearest first. */
function nearestTo(id: string, vectors: ReadonlyMap<string, Vector>): string[] {
  const own = vectors.get(id)
  if (own === undefined) return []
  const ranked = Array.from(vectors, ([other, vector]) => ({ id: other, cosine: cosineOf(own, vector) }))
    .filter((other) => other.id !== id)
    .toSorted((a, b) => b.cosine - a.cosine)
  const usual = ranked.length < STORIES_MIN ? 0 : ranked[ranked.length >> 1]!.cosine
  const least = Math.max(SAME_EVENT, usual + (1 - usual) * STANDS_OUT)
  return ranked.slice(0, NEAREST).flatMap((other) => (other.cosine >= least ? [other.id] : []))
}
