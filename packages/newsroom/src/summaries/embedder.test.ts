import { expect, onTestFinished, test } from 'vitest'
import { startLlm, type EmbeddingBehaviour } from '../testing/outside/llm-server.ts'
import { UNLIMITED, type Budget, type CallEnd, type NewCall, type Wait } from './budget.ts'
import { cosineOf, createEmbedder, type EmbedderOptions } from './embedder.ts'

const KEY = 'sk-a-key-that-nobody-shall-read'
const NOW = Date.parse('2026-11-21T04:03:00Z')

/** An embedder at an endpoint, with the records of its calls. */
async function setUp(own: Partial<EmbedderOptions> = {}, wait: Wait | null = null) {
  const llm = await startLlm('honest', { apiKey: KEY })
  onTestFinished(llm.close)
  const begun: NewCall[] = []
  const ended: CallEnd[] = []
  const budget: Budget = {
    ...UNLIMITED,
    take: async (call) => {
      if (wait === null) begun.push(call)
      return wait
    },
    end: async (_, end) => void ended.push(end),
  }
  const embedder = createEmbedder({
    llm: { baseUrl: llm.url, apiKey: KEY, model: 'embedding' },
    ...{ budget, now: () => NOW, newId: () => 'id', log: { warn: () => {} }, onEnd: () => {}, stop: undefined },
    ...own,
  })
  return { llm, embedder, begun, ended }
}

const numbersOf = (vectors: readonly (Float32Array | null)[]) => vectors.map((vector) => vector && [...vector])

test('texts get directions of length 1, in their order, by one recorded call', async () => {
  const { llm, embedder, begun, ended } = await setUp()
  const data = [
    { index: 1, embedding: [3, 0] },
    { index: 0, embedding: [0, 2] },
  ]
  llm.embed(() => ({ body: { data, usage: { prompt_tokens: 7 } } }))
  expect(numbersOf(await embedder.embed(['橋が開通', '図書館']))).toEqual([
    [0, 1],
    [1, 0],
  ])
  expect(llm.texts).toEqual([{ model: 'embedding', input: ['橋が開通', '図書館'] }])
  expect(begun).toMatchObject([{ model: 'embedding', storyId: null, outputTokens: 0 }])
  expect(ended).toMatchObject([{ outcome: 'ok', inputTokens: 7, outputTokens: 0 }])
})

test('a text is asked for once, and many texts in several calls', async () => {
  const { llm, embedder } = await setUp()
  const texts = Array.from({ length: 11 }, (_, index) => `記事${index}`)
  const first = await embedder.embed(texts)
  expect(llm.texts.map(({ input }) => input.length)).toEqual([8, 3])
  expect((await embedder.embed([...texts, '新しい記事'])).slice(0, 11)).toEqual(first)
  expect(llm.texts[2]!.input).toEqual(['新しい記事'])
})

test.each<[string, EmbeddingBehaviour]>([
  ['fewer vectors than texts', [[1, 0]]],
  ['more vectors than texts', [[1], [2], [3]]],
  ['vectors of different lengths', [[1, 0], [1]]],
  ['an empty vector', [[], []]],
  ['a vector without a direction', [[0], [1]]],
  ['a vector that is too long', [[1], Array.from({ length: 9_000 }, () => 1)]],
  [
    'numbers beyond all bounds',
    [
      [1.7e308, 1.7e308],
      [1, 0],
    ],
  ],
  ['one index twice', { body: { data: [0, 0].map((index) => ({ index, embedding: [1] })) } }],
  ['words for numbers', { body: { data: [0, 1].map((index) => ({ index, embedding: ['1'] })) } }],
  ['something else', { body: { choices: [] } }],
  ['a list', { body: [1, 2] }],
])('an answer that cannot be used is recorded, and leaves texts without vectors: %s', async (_, behaviour) => {
  const { llm, embedder, ended } = await setUp()
  llm.embed(() => behaviour)
  expect(await embedder.embed(['橋が開通', '図書館'])).toEqual([null, null])
  expect(ended).toMatchObject([{ outcome: 'malformed', detail: 'no usable vectors' }])
})

test('an endpoint that is away is recorded without the key, and asked no more for these texts', async () => {
  const { llm, embedder, ended } = await setUp()
  llm.embed(() => ({ status: 500, message: `no room for ${KEY}` }))
  const texts = Array.from({ length: 20 }, (_, index) => `記事${index}`)
  expect((await embedder.embed(texts)).every((vector) => vector === null)).toBe(true)
  expect(llm.texts).toHaveLength(1)
  expect(ended).toMatchObject([{ outcome: 'failed', detail: '500 no room for …' }])
})

test('an endpoint that does not answer in time is given up', async () => {
  const { llm, embedder, ended } = await setUp({ timeoutMs: 50 })
  llm.embed(() => 'hang')
  expect(await embedder.embed(['橋が開通'])).toEqual([null])
  expect(ended).toMatchObject([{ outcome: 'failed', detail: 'no answer within 0.05 s' }])
})

test('nothing is asked without a budget', async () => {
  const { llm, embedder } = await setUp({}, { until: new Date(NOW), cause: 'budget', reason: 'used up' })
  expect(await embedder.embed(['橋が開通'])).toEqual([null])
  expect(llm.texts).toEqual([])
})

test('directions of different lengths, as of two models, are not alike', () => {
  expect(cosineOf(Float32Array.of(1, 0), Float32Array.of(0.6, 0.8))).toBeCloseTo(0.6)
  expect(cosineOf(Float32Array.of(1), Float32Array.of(1, 0))).toBe(0)
})
