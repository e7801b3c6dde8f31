/**
 * Asks an embedding model for the directions of texts, by which reports of one event in words of
 * their own are found. Without an answer nothing is found: it decides nothing by itself.
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { createCall, type Answered, type CallsOptions, type Worth } from './calls.ts'
import {
  MODEL_TIMEOUT_MS,
  told,
  usageForm,
  withinLimits,
  type AskedModel,
  type AskOptions,
  type Endpoint,
} from './endpoint.ts'
import { tokensOf } from './tokens.ts'

/** A direction of length 1, so that the cosine of two is their product. */
export type Vector = Float32Array

/** For the record of calls: change it with every change of what is embedded. */
const EMBEDDING_VERSION = 'event-2026-11-1'

/** Texts of a request: their vectors stay far below the maximum size of an answer. */
const TEXTS_AT_ONCE = 8
/** No model has more dimensions. */
const DIMENSIONS_MAX = 8_192
/** Vectors that are kept, of texts that several publishers print: 6 KB each. */
const KEPT = 500

const answerForm = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1).max(DIMENSIONS_MAX) })),
  usage: usageForm,
})

interface EmbeddingAnswer extends Answered {
  /** In the order of the texts; null for an answer that cannot be used. */
  readonly vectors: readonly Vector[] | null
}

function createEmbeddingModel(options: AskOptions): AskedModel<readonly string[], EmbeddingAnswer> {
  return {
    room: 0,
    tokensOf: (texts) => texts.reduce((sum, text) => sum + tokensOf(text), 0),
    ask: (texts) =>
      withinLimits(options, async (post) =>
        toAnswer(await post('embeddings', { model: options.llm.model, input: texts }, answerForm), texts.length),
      ),
  }
}

function toAnswer(answer: z.infer<typeof answerForm> | null, count: number): EmbeddingAnswer {
  const unusable: EmbeddingAnswer = { text: '', vectors: null, inputTokens: null, outputTokens: null }
  if (answer === null) return unusable
  const inOrder = answer.data.toSorted((a, b) => a.index - b.index)
  const vectors = inOrder.map(({ embedding }) => toUnit(embedding))
  const isWhole =
    vectors.length === count &&
    inOrder.every(({ index }, place) => index === place) &&
    vectors.every((vector) => vector?.length === vectors[0]?.length)
  return {
    ...unusable,
    vectors: isWhole ? vectors.filter((vector) => vector !== null) : null,
    inputTokens: told(answer.usage?.prompt_tokens),
  }
}

/** The vector with length 1; null without a direction. */
function toUnit(numbers: readonly number[]): Vector | null {
  const length = Math.hypot(...numbers)
  return Number.isFinite(length) && length > 0 ? Float32Array.from(numbers, (number) => number / length) : null
}

/** The cosine of the angle between two directions; 0 for those of different models. */
export const cosineOf = (one: Vector, other: Vector): number =>
  one.length === other.length ? one.reduce((sum, value, at) => sum + value * other[at]!, 0) : 0

export type Embedder = ReturnType<typeof createEmbedder>

export interface EmbedderOptions extends Pick<
  CallsOptions<readonly string[], EmbeddingAnswer>,
  'budget' | 'now' | 'newId' | 'log' | 'onEnd' | 'stop'
> {
  readonly llm: Endpoint
  /** Time limit of an answer; two minutes by default. */
  readonly timeoutMs?: number
}

export function createEmbedder({ llm, timeoutMs = MODEL_TIMEOUT_MS, ...options }: EmbedderOptions) {
  const { now, stop } = options
  const model = createEmbeddingModel({ llm, now, timeoutMs, stop })
  const call = createCall({ ...options, model, name: llm.model, promptVersion: EMBEDDING_VERSION })
  const kept = new LRUCache<string, Vector>({ max: KEPT })
  return {
    model: llm.model,
    /**
     * The vectors of texts, in their order; null for those that have none now, because the endpoint
     * is away, the budget is used up, or the answer cannot be used.
     */
    async embed(texts: readonly string[]): Promise<readonly (Vector | null)[]> {
      const keys = texts.map((text) => createHash('sha256').update(text).digest('base64'))
      const vectors = keys.map((key) => kept.get(key) ?? null)
      const missing = [...keys.keys()].filter((at) => vectors[at] === null)
      for (let from = 0; from < missing.length; from += TEXTS_AT_ONCE) {
        const places = missing.slice(from, from + TEXTS_AT_ONCE)
        const asked = places.map((at) => texts[at]!)
        // There is no story yet.
        const called = await call(null, asked, worthOf)
        if (called.kind === 'later' || called.read.vectors === null) break
        for (const [index, vector] of called.read.vectors.entries()) {
          const at = places[index]!
          kept.set(keys[at]!, vector)
          vectors[at] = vector
        }
      }
      return vectors
    },
  }
}

const worthOf = ({ vectors }: EmbeddingAnswer): Worth & Pick<EmbeddingAnswer, 'vectors'> =>
  vectors === null
    ? { outcome: 'malformed', findings: ['no usable vectors'], vectors }
    : { outcome: 'ok', findings: [], vectors }
