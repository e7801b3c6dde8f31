import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { articleOf } from '../testing/articles.ts'
import { listen } from '../testing/outside/listen.ts'
import { startLlm, type LlmBehaviour, type LlmOptions, type LlmServer } from '../testing/outside/llm-server.ts'
import { readAnswer, SUMMARY_FORM } from './answer.ts'
import { ModelFailure } from './endpoint.ts'
import { createModel, type ModelOptions } from './model.ts'
import { writePrompt } from './prompt.ts'

const KEY = 'sk-a-key-that-nobody-shall-read'
const NOW = Date.parse('2026-11-21T04:03:00Z')

const ARTICLE = articleOf(
  '県は新しい橋が開通したと発表した。工事には五年を要したと説明している。朝から多くの車が渡り始めたとみられる。',
  { title: '新しい橋が開通' },
)
const PROMPT = writePrompt(ARTICLE, null, 'f00d')

const modelAt = (baseUrl: string, apiKey: string | null = KEY, own: Partial<ModelOptions> = {}) => {
  const llm = { baseUrl, apiKey, model: 'test-model' }
  return createModel({ form: SUMMARY_FORM, llm, now: () => NOW, timeoutMs: 20_000, ...own })
}

async function model(
  behaviour: Parameters<LlmServer['behave']>[0],
  server: LlmOptions = {},
  own: Partial<ModelOptions> = {},
) {
  const llm = await startLlm(behaviour, server)
  onTestFinished(llm.close)
  return { llm, model: modelAt(llm.url, KEY, own) }
}

/** The address of an endpoint that always answers this. */
async function endpointWith(status: number, headers: Record<string, string>, text = ''): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(text))
  const { port, close } = await listen(server)
  onTestFinished(close)
  return `http://127.0.0.1:${port}/v1`
}

const failureOf = (asking: Promise<unknown>): Promise<ModelFailure> =>
  asking.then(
    () => expect.unreachable('it did not fail'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ModelFailure)
      return error as ModelFailure
    },
  )

test('an endpoint such as OpenAI or vLLM gets our schema, and answers with JSON alone and its cost', async () => {
  const { llm, model: asked } = await model('honest', { apiKey: KEY, model: 'test-model' })
  const answer = await asked.ask(PROMPT)
  expect(JSON.parse(answer.text)).toEqual(readAnswer(answer.text))
  expect(readAnswer(answer.text)?.sentences).toHaveLength(3)
  expect(answer.inputTokens).toBeGreaterThan(100)
  expect(answer.outputTokens).toBeGreaterThan(50)
  const [{ body, prompt }] = llm.requests as [(typeof llm.requests)[0]]
  expect(body).toMatchObject({ model: 'test-model', temperature: 0.2, max_tokens: 1_200 })
  expect(body.response_format?.type).toBe('json_schema')
  expect(prompt).toContain(ARTICLE.text)
})

test.each<[string, LlmBehaviour]>([
  ['as a stream that nobody asked for', 'streamed'],
  ['with thoughts, a fence and prose', 'chatty'],
])('an answer is read that comes %s', async (_, behaviour) => {
  const { model: asked } = await model(behaviour)
  const answer = await asked.ask(PROMPT)
  expect(readAnswer(answer.text)?.title).toBe('新しい橋が開通')
  expect(answer.outputTokens).toBeGreaterThan(50)
})

test('a parameter that the endpoint refuses is left out, also of later requests', async () => {
  const { llm, model: asked } = await model('honest', { refuses: ['response_format', 'max_tokens', 'temperature'] })
  expect(readAnswer((await asked.ask(PROMPT)).text)).not.toBeNull()
  expect(llm.requests).toHaveLength(4)
  expect(readAnswer((await asked.ask(PROMPT)).text)).not.toBeNull()
  expect(llm.requests).toHaveLength(5)
  const { body } = llm.requests[4]!
  expect(body.response_format).toBeUndefined()
  expect(body.temperature).toBeUndefined()
  expect(body.max_tokens).toBeUndefined()
  expect(body.max_completion_tokens).toBe(1_200)
})

test('an endpoint that refuses an article with and without the schema gets the schema again for the next one', async () => {
  const refusal = { status: 400, message: 'This article is not liked.' }
  const { llm, model: asked } = await model([refusal, refusal, 'honest'])
  expect((await failureOf(asked.ask(PROMPT))).message).toBe('400 This article is not liked.')
  await asked.ask(PROMPT)
  expect(llm.requests.map(({ body }) => body.response_format !== undefined)).toEqual([true, false, true])
})

test('a model that was cut off gets a larger limit of tokens', async () => {
  const { llm, model: asked } = await model(['malformed', 'honest'])
  expect((await asked.ask(PROMPT)).isCut).toBe(true)
  expect((await asked.ask(PROMPT)).isCut).toBe(false)
  expect(llm.requests.map(({ body }) => body.max_tokens)).toEqual([1_200, 4_800])
})

test('an answer without its cost is accepted', async () => {
  const { model: asked } = await model('silent')
  expect(await asked.ask(PROMPT)).toMatchObject({ inputTokens: null, outputTokens: null })
})

test('a request that fails is not repeated', async () => {
  const { llm, model: asked } = await model({ status: 500 })
  expect(await failureOf(asked.ask(PROMPT))).toMatchObject({
    status: 500,
    message: '500 This is error 500.',
    mayHaveCost: false,
  })
  expect(llm.requests).toHaveLength(1)
})

test.each([
  ['in seconds', '120', 120_000],
  ['as a date', 'Sat, 21 Nov 2026 04:05:00 GMT', 120_000],
  ['in no way that is known', 'soon', null],
])('an endpoint that is busy gives %s as the pause', async (_, retryAfter, wait) => {
  const { model: asked } = await model({ status: 429, retryAfter })
  expect(await failureOf(asked.ask(PROMPT))).toMatchObject({ status: 429, retryAfterMs: wait, mayHaveCost: false })
})

test('a refused key appears in no message, even if the endpoint repeats it', async () => {
  const { model: asked } = await model('honest', { apiKey: 'another' })
  const failure = await failureOf(asked.ask(PROMPT))
  expect(failure).toMatchObject({ status: 401, message: '401 Incorrect API key provided: ….' })
  expect(JSON.stringify(failure) + failure.stack).not.toContain(KEY)
})

test.each<[string, string, LlmBehaviour]>([
  ['at the place where its words are cut', KEY, { status: 500, message: `${'x'.repeat(185)} ${KEY}` }],
  [
    'escaped as JSON does',
    String.raw`sk-"with\marks/`,
    { status: 500, message: String.raw`sk-\"with\\marks\/ is no key` },
  ],
  [
    'as part of an address',
    'sk-ümläut+key',
    { status: 500, message: `no such page: /${encodeURIComponent('sk-ümläut+key')}` },
  ],
  ['in base64', KEY, { status: 500, message: `Basic ${Buffer.from(KEY).toString('base64')}` }],
])('a key that an endpoint repeats %s appears in no message, nor does a part of it', async (_, apiKey, behaviour) => {
  const { llm } = await model(behaviour)
  const { message } = await failureOf(modelAt(llm.url, apiKey).ask(PROMPT))
  expect(message).toContain('…')
  expect(message).not.toMatch(/sk-|c2st/)
})

test('a key is removed from an error in a stream before the error is shortened', async () => {
  const stream = `data: ${JSON.stringify({ error: { message: `${'x'.repeat(190)} ${KEY}` } })}\n\n`
  const baseUrl = await endpointWith(200, { 'content-type': 'text/event-stream' }, stream)
  expect((await failureOf(modelAt(baseUrl).ask(PROMPT))).message).not.toContain('sk-')
})

test('a name and a password in the address of an endpoint appear in no message', async () => {
  const { llm } = await model({ status: 500, message: 'sk-name and s€cret may not' })
  const baseUrl = llm.url.replace('//', `//sk-name:${encodeURIComponent('s€cret')}@`)
  expect((await failureOf(modelAt(baseUrl, null).ask(PROMPT))).message).not.toMatch(/sk-name|s€cret/)
})

test('the message about a missing model names it', async () => {
  const { model: asked } = await model('honest', { model: 'gemma' })
  expect((await failureOf(asked.ask(PROMPT))).message).toBe('404 The model `test-model` does not exist.')
})

test('a message that older endpoints send as plain text is read', async () => {
  const baseUrl = await endpointWith(400, { 'content-type': 'application/json' }, '{"error":"no such model"}')
  expect((await failureOf(modelAt(baseUrl).ask(PROMPT))).message).toBe('400 no such model')
})

test('the message of an endless error is short', async () => {
  const { model: asked } = await model({ status: 500, message: '長い\n話'.repeat(10_000) })
  expect((await failureOf(asked.ask(PROMPT))).message.length).toBeLessThan(210)
})

test.each<[string, LlmBehaviour, string]>([
  ['ends in the middle', 'cut_off', 'the connection ended in the middle of the answer'],
  ['never ends', 'huge', 'the answer is too large'],
])('an answer that %s is a failure that may have cost tokens', async (_, behaviour, message) => {
  const { model: asked } = await model(behaviour)
  expect(await failureOf(asked.ask(PROMPT))).toMatchObject({ message, mayHaveCost: true })
})

test('a model that never answers times out, and may have cost tokens', async () => {
  const { model: asked } = await model('hang', {}, { timeoutMs: 300 })
  expect(await failureOf(asked.ask(PROMPT))).toMatchObject({ message: 'no answer within 0.3 s', mayHaveCost: true })
})

test('a stopping server does not wait for an answer', async () => {
  const stop = new AbortController()
  const { llm, model: asked } = await model(
    () => {
      stop.abort()
      return 'hang'
    },
    {},
    { stop: stop.signal },
  )
  await failureOf(asked.ask(PROMPT))
  expect(llm.requests).toHaveLength(1)
})

test('an unreachable endpoint has cost no tokens', async () => {
  const { llm, model: asked } = await model('honest')
  await llm.close()
  expect(await failureOf(asked.ask(PROMPT))).toMatchObject({ status: null, mayHaveCost: false })
})

test.each<[string, string, string]>([
  ['HTML', 'text/html', '<html>It works!</html>'],
  ['JSON that is none', 'application/json', '{"choices": ['],
  ['no choices', 'application/json', '{"choices": []}'],
  ['an error in its stream', 'text/event-stream', 'data: {"error":{"message":"out of memory"}}\n\n'],
  ['a stream without an end', 'text/event-stream', 'data: {"choices":[{"delta":{"content":"{"}}]}\n\n'],
  ['a stream of something else', 'text/event-stream', 'data: hello\n\n'],
])('an answer of an endpoint with %s is a failure', async (_, type, text) => {
  const baseUrl = await endpointWith(200, { 'content-type': type }, text)
  expect(await failureOf(modelAt(baseUrl).ask(PROMPT))).toMatchObject({ mayHaveCost: true })
})

test('an answer in parts is read without the thoughts among them', async () => {
  const content = [
    { type: 'thinking', thinking: [] },
    { type: 'text', text: '{"title":' },
    { type: 'text', text: '"橋"}' },
  ]
  const answer = JSON.stringify({ choices: [{ message: { content } }] })
  const baseUrl = await endpointWith(200, { 'content-type': 'application/json' }, answer)
  expect(await modelAt(baseUrl).ask(PROMPT)).toMatchObject({ text: '{"title":"橋"}', isCut: false })
})

test('the key is not sent to the target of a redirect', async () => {
  const { llm } = await model('honest')
  const baseUrl = await endpointWith(307, { location: `${llm.url}/chat/completions` })
  await failureOf(modelAt(baseUrl).ask(PROMPT))
  expect(llm.requests).toHaveLength(0)
})
