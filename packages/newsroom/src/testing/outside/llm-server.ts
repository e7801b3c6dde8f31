/**
 * A language model for tests: a real server that speaks OpenAI's protocol like vLLM and OpenAI, or
 * like an older Ollama. Tests set its behaviour: a true summary of the given article, or one of the
 * failures of models and endpoints.
 */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The behaviour for one request. */
export type LlmBehaviour =
  /** Summarises the article truthfully. */
  | 'honest'
  /**
   * As 'honest', but as text around JSON: thoughts first, then a code fence with prose beside it.
   */
  | 'chatty'
  /** As 'honest', but as a stream that was not requested. */
  | 'streamed'
  /** As 'honest', without reporting the cost. */
  | 'silent'
  /** Four sentences; the last one has a number that no article has. */
  | 'one_invented'
  /** No sentence is supported by the article; the quotes are true. */
  | 'invented'
  /** The sentences are true, but the quotes are not in the article. */
  | 'misquoted'
  | 'english'
  /**
   * Obeys an instruction in the article («…と書いてください»), and quotes that instruction. Without one it
   * is honest.
   */
  | 'obedient'
  /** JSON that ends in the middle, as at the limit of tokens; finish_reason says so. */
  | 'malformed'
  /** Prose without any JSON. */
  | 'prose'
  | 'empty'
  /** Never answers. */
  | 'hang'
  /** The connection ends in the middle of the answer. */
  | 'cut_off'
  /** An endless answer. */
  | 'huge'
  /** An error status, in the server's format. */
  | { readonly status: number; readonly retryAfter?: string; readonly message?: string }
  /** Exactly this text, at a cost that may be false. */
  | { readonly answer: string; readonly cost?: { readonly input: number; readonly output: number } }

/** A question to the verifier, as it stands in the request. */
export interface AskedClaim {
  readonly claim: string
  readonly passage: string
  readonly title: string
  /** All that the verifier is told. */
  readonly prompt: string
  readonly model: string | undefined
}

export type VerdictBehaviour =
  | 'supported'
  | 'contradicted'
  | 'not_stated'
  /** Prose without a verdict. */
  | 'prose'
  | Refusal

/** Texts that were to be embedded, as they stand in the request. */
export interface AskedTexts {
  readonly model: string | undefined
  readonly input: readonly string[]
}

export type EmbeddingBehaviour =
  /** A vector of each text, in this order. */
  | readonly (readonly number[])[]
  /** The same in another order; their indexes are true. */
  | { readonly shuffled: readonly (readonly number[])[] }
  /** Exactly this answer. */
  | { readonly body: unknown }
  | 'hang'
  | Refusal

export interface LlmRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** As the client sent it. */
  readonly body: LlmBody
  /** The whole input of the model, system and user messages together. */
  readonly prompt: string
}

interface LlmBody {
  readonly model?: string
  readonly input?: readonly string[]
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: unknown } }
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly temperature?: number
}

export interface LlmOptions {
  /**
   * openai: follows a JSON schema, and wraps its answer in a code fence when there is none. ollama:
   * supports no schema, always thinks aloud and wraps; its errors are plain text.
   */
  readonly manner?: 'openai' | 'ollama'
  /** Names of parameters that it refuses with 400, as endpoints do that do not know them. */
  readonly refuses?: readonly ('response_format' | 'max_tokens' | 'temperature')[]
  /** The key that it requires; without one it answers everybody. */
  readonly apiKey?: string
  /** The model that it has; requests for others get 404. */
  readonly model?: string
}

export interface LlmServer {
  /** For LLM_BASE_URL. */
  readonly url: string
  /** Requests for summaries in order. */
  readonly requests: readonly LlmRequest[]
  /** Requests for verdicts in order. */
  readonly claims: readonly AskedClaim[]
  /** Requests for vectors in order. */
  readonly texts: readonly AskedTexts[]
  /**
   * Sets the behaviour from now on: a constant one, a sequence (whose last one stays), or one by
   * request.
   */
  behave(how: LlmBehaviour | readonly LlmBehaviour[] | ((request: LlmRequest) => LlmBehaviour)): void
  /** Sets the verdicts from now on. By default each claim is supported. */
  judge(how: (claim: AskedClaim) => VerdictBehaviour): void
  /** Sets the vectors from now on. By default no two texts are alike. */
  embed(how: (asked: AskedTexts) => EmbeddingBehaviour): void
  close(): Promise<void>
}

/** Starts a model on a free local port. */
export async function startLlm(
  behaviour: Parameters<LlmServer['behave']>[0] = 'honest',
  options: LlmOptions = {},
): Promise<LlmServer> {
  const requests: LlmRequest[] = []
  const claims: AskedClaim[] = []
  let next = chooser(behaviour)
  let verdictOf: (claim: AskedClaim) => VerdictBehaviour = () => 'supported'
  const texts: AskedTexts[] = []
  let embedded = 0
  let vectorsOf: (asked: AskedTexts) => EmbeddingBehaviour = ({ input }) =>
    input.map(() => {
      embedded += 1
      return Array.from({ length: 512 }, (_, at) => (at === embedded % 512 ? 1 : 0))
    })
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalFor(request, options)
    const text = await readBody(request)
    if (refusal !== null) return sendError(response, refusal, options)
    if (request.method === 'GET') {
      const models = [{ id: options.model ?? 'test-model', object: 'model', created: 0, owned_by: 'test' }]
      return sendJson(response, 200, { object: 'list', data: models })
    }
    const body = JSON.parse(text) as LlmBody
    if (body.input !== undefined) {
      const wanted = { model: body.model, input: body.input }
      texts.push(wanted)
      return sendVectors(response, wanted, vectorsOf(wanted), options)
    }
    const prompt = (body.messages ?? []).map(({ content }) => textOf(content)).join('\n')
    const asked: LlmRequest = { path: request.url ?? '', headers: request.headers, body, prompt }
    const claim = claimIn(asked)
    if (claim === null) requests.push(asked)
    else claims.push(claim)
    const unusable = refusalOf(body, options)
    if (unusable !== null) return sendError(response, unusable, options)
    if (claim !== null) {
      const verdict = verdictOf(claim)
      if (typeof verdict === 'object') return sendError(response, verdict, options)
      const words = JSON.stringify({ verdict, reason: 'passage にそう書かれている。' })
      return answer(response, asked, { answer: verdict === 'prose' ? 'はい、そのとおりです。' : words }, options)
    }
    const how = next(asked)
    if (typeof how === 'object' && 'status' in how) return sendError(response, how, options)
    if (how === 'hang') return
    answer(response, asked, how, options)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    claims,
    texts,
    embed: (how) => void (vectorsOf = how),
    judge: (how) => void (verdictOf = how),
    behave: (how) => void (next = chooser(how)),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

type Refusal = Extract<LlmBehaviour, { status: number }>
type Behaviour = Exclude<LlmBehaviour, Refusal | 'hang'>

function chooser(how: Parameters<LlmServer['behave']>[0]): (request: LlmRequest) => LlmBehaviour {
  if (typeof how === 'function') return how
  if (!Array.isArray(how)) return () => how as LlmBehaviour
  const queue: LlmBehaviour[] = [...how]
  return () => (queue.length > 1 ? queue.shift()! : (queue[0] ?? 'honest'))
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: string }) => part.text ?? '').join('')
      : ''

/** The claim of a request for a verdict; null for another request. */
function claimIn({ body, prompt }: LlmRequest): AskedClaim | null {
  const last = textOf(body.messages?.at(-1)?.content)
  if (!last.startsWith('{"claim":')) return null
  const { claim, passage, title } = JSON.parse(last) as Pick<AskedClaim, 'claim' | 'passage' | 'title'>
  return { claim, passage, title, prompt, model: body.model }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function refusalFor({ method, url, headers }: IncomingMessage, { apiKey }: LlmOptions): Refusal | null {
  if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
    // Real endpoints repeat the key that they were sent.
    return { status: 401, message: `Incorrect API key provided: ${headers.authorization?.slice(7) ?? 'none'}.` }
  }
  const calls = ['/v1/chat/completions', '/v1/embeddings']
  const isKnown = url === '/v1/models' ? method === 'GET' : calls.includes(url ?? '') && method === 'POST'
  return isKnown ? null : { status: 404, message: '404 page not found' }
}

function refusalOf(body: LlmBody, { model, refuses = [], manner }: LlmOptions): Refusal | null {
  if (model !== undefined && body.model !== model) {
    return { status: 404, message: `The model \`${body.model}\` does not exist.` }
  }
  if (refuses.includes('response_format') && body.response_format !== undefined) {
    return { status: 400, message: "'response_format' is not supported with this model." }
  }
  if (refuses.includes('max_tokens') && body.max_tokens !== undefined) {
    return { status: 400, message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." }
  }
  if (refuses.includes('temperature') && body.temperature !== undefined) {
    return { status: 400, message: "Unsupported value: 'temperature' does not support 0.2 with this model." }
  }
  const schema = body.response_format?.json_schema?.schema
  if (manner !== 'ollama' && schema !== undefined && !isStrict(schema)) {
    return {
      status: 400,
      message: 'Invalid schema for response_format: every object needs additionalProperties: false.',
    }
  }
  return null
}

/**
 * OpenAI accepts a strict schema only when all its objects are closed and all their properties
 * required.
 */
function isStrict(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>
  if (type === 'object') {
    if (additionalProperties !== false || !Array.isArray(required)) return false
    if (Object.keys(properties ?? {}).some((name) => !required.includes(name))) return false
  }
  return Object.values(schema).every(isStrict)
}

function sendVectors(
  response: ServerResponse,
  { model, input }: AskedTexts,
  how: EmbeddingBehaviour,
  options: LlmOptions,
): void {
  if (how === 'hang') return
  if ('status' in how) return sendError(response, how, options)
  if ('body' in how) return sendJson(response, 200, how.body)
  const isShuffled = 'shuffled' in how
  const data = (isShuffled ? how.shuffled : how).map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const cost = tokens(input.join(''))
  sendJson(response, 200, {
    ...{ object: 'list', model, data: isShuffled ? data.toReversed() : data },
    usage: { prompt_tokens: cost, total_tokens: cost },
  })
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function sendError(response: ServerResponse, { status, retryAfter, message }: Refusal, { manner }: LlmOptions): void {
  const text = message ?? `This is error ${status}.`
  const body =
    manner === 'ollama' ? { error: text } : { error: { message: text, type: 'error', param: null, code: null } }
  sendJson(response, status, body, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
}

function answer(response: ServerResponse, request: LlmRequest, how: Behaviour, options: LlmOptions): void {
  if (how === 'huge') return talkOn(response)
  const words = say(request, how, options)
  const cost = typeof how === 'object' ? how.cost : undefined
  const usage = {
    prompt_tokens: cost?.input ?? tokens(request.prompt),
    completion_tokens: cost?.output ?? tokens(words),
  }
  const told = how === 'silent' ? undefined : { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens }
  const finish = how === 'malformed' ? 'length' : 'stop'
  if (request.body.stream === true || how === 'streamed') return stream(response, request, words, finish, told, how)
  const whole = JSON.stringify({
    ...head(request, 'chat.completion'),
    choices: [{ index: 0, message: { role: 'assistant', content: words }, finish_reason: finish }],
    ...(told === undefined ? {} : { usage: told }),
  })
  if (how !== 'cut_off') {
    response.writeHead(200, { 'content-type': 'application/json' })
    return void response.end(whole)
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(whole)) })
  response.write(whole.slice(0, whole.length / 2), () => response.destroy())
}

/** Pieces of an endless answer. */
function talkOn(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"choices":[{"message":{"role":"assistant","content":"')
  let pieces = 300
  const more = (error?: Error | null) => {
    pieces -= 1
    // A failed write calls back at once, again and again, before the close of the connection is
    // reported.
    if ((error ?? null) === null && !response.destroyed && pieces > 0) response.write('あ'.repeat(20_000), more)
  }
  more()
}

const head = ({ body }: LlmRequest, object: string) => ({
  id: 'chatcmpl-1',
  object,
  created: 1,
  model: body.model ?? 'test-model',
})

/** Approximates a tokenizer for Japanese. */
const tokens = (text: string): number => Math.ceil(text.length * 0.9)

/** Pieces of 16 characters as server-sent events, the usage in a chunk of its own, and [DONE]. */
function stream(
  response: ServerResponse,
  request: LlmRequest,
  words: string,
  finish: string,
  usage: object | undefined,
  how: Behaviour,
): void {
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ ...head(request, 'chat.completion.chunk'), ...fields })}\n\n`
  const choice = (delta: object, reason: string | null) => ({ choices: [{ index: 0, delta, finish_reason: reason }] })
  const pieces = Array.from(words.matchAll(/[\s\S]{1,16}/gu), ([content]) => chunk(choice({ content }, null)))
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.write(chunk(choice({ role: 'assistant', content: '' }, null)))
  if (how === 'cut_off') {
    return void response.write(pieces.slice(0, pieces.length / 2).join(''), () => response.destroy())
  }
  response.write(
    `: a comment, as some proxies send to keep the line open\n\n${pieces.join('')}${chunk(choice({}, finish))}`,
  )
  // vLLM reports the cost of a stream only on request; a stream that was not requested always has
  // it.
  const wants = request.body.stream !== true || request.body.stream_options?.include_usage === true
  if (usage !== undefined && wants) response.write(chunk({ choices: [], usage }))
  response.end('data: [DONE]\n\n')
}

/** The text of the model. */
function say(request: LlmRequest, how: Exclude<Behaviour, 'huge'>, options: LlmOptions): string {
  if (typeof how === 'object') return how.answer
  if (how === 'empty') return ''
  if (how === 'prose') return '申し訳ありませんが、この記事は要約できません。'
  const json = JSON.stringify(summaryOf(request.prompt, how))
  if (how === 'malformed') return json.slice(0, json.length * 0.6)
  if (options.manner === 'ollama' || how === 'chatty') {
    return `<think>\nまず {記事} を読む。\n</think>\n\n要約は次のとおりです。\n\n\`\`\`json\n${json}\n\`\`\`\n\n以上です。`
  }
  // Without a schema, models like to wrap JSON in a code fence.
  return request.body.response_format === undefined ? `\`\`\`json\n${json}\n\`\`\`` : json
}

interface Sentence {
  readonly text: string
  readonly quote: string
}

function summaryOf(prompt: string, how: LlmBehaviour): { title: string; sentences: readonly Sentence[] } {
  const { title, text } = articleIn(prompt)
  const sentences = honestSentences(text)
  switch (how) {
    case 'one_invented': {
      const last = sentences[0] ?? { text: '', quote: '' }
      const invented = { text: '被害の総額は98億7654万円に上るという。', quote: last.quote }
      return { title, sentences: [...sentences.slice(0, 3), invented] }
    }
    case 'invented':
      return { title, sentences: sentences.map(({ quote }, at) => ({ text: INVENTED[at % INVENTED.length]!, quote })) }
    case 'misquoted':
      return { title, sentences: sentences.map((one) => ({ ...one, quote: `${one.quote.slice(0, -1)}といわれる。` })) }
    case 'english':
      return {
        title: 'A summary of the article',
        sentences: sentences.map(({ quote }) => ({ text: 'Officials announced the plan this week.', quote })),
      }
    case 'obedient': {
      const order = /[^。\n]*「([^」]+)」と(?:書|答え|出力)[^。\n]*。?/u.exec(text)
      if (order === null) return { title, sentences }
      const [quote, demanded] = order
      return { title: demanded!, sentences: Array.from({ length: 3 }, () => ({ text: `${demanded}。`, quote })) }
    }
    default:
      return { title, sentences }
  }
}

const INVENTED = [
  '佐々木一郎氏は2031年までに9876億円を投じると述べた。',
  'ブラジリアでは推計で4321人が避難した。',
  'これを受けて北大西洋条約機構は12月31日に臨時会合を開く。',
]

/** The article stands between markers with the same random word. */
function articleIn(prompt: string): { title: string; text: string } {
  const found = /=== 記事 (\S+) はじまり ===\n([\s\S]*?)\n=== 記事 \1 おわり ===/u.exec(prompt)?.[2] ?? ''
  const [about = '', text = ''] = found.split(/\n?本文:\n/u)
  const title = /見出し: (.*)/u.exec(about)?.[1] ?? ''
  if (isForeign(text)) return { title: `${topicOf(title)}についての知らせ`, text }
  return { title: [...title].length > 34 ? shorten(title) : title, text }
}

/** A long title, cut at its first pause. */
function shorten(title: string): string {
  const start = [...title].slice(0, 34).join('')
  const pause = /^.{8,}(?=[、。　 …|｜-])/u.exec(start)
  return pause?.[0] ?? start
}

/**
 * The summary of an honest model: three sentences of the article, changed a little, so that no long
 * run of words is copied. Facts stay as they are: numbers, names and negations.
 */
function honestSentences(text: string): Sentence[] {
  if (isForeign(text)) return foreignSentences(text)
  const all = text.split(/(?<=。)|\n/u).map((one) => one.trim())
  // Leaves sentences to readers and quotations alone.
  const plain = all.filter(
    (one) =>
      one.endsWith('。') &&
      one.length >= 15 &&
      one.length <= 280 &&
      !/[「」『』【】（）]|クリック|登録|指示|要約|https?:|@/u.test(one),
  )
  return plain.slice(0, 3).map((one) => ({ text: retell(one), quote: one.slice(0, QUOTED) }))
}

/** Characters of a quote: three of them are the most that any article allows. */
const QUOTED = 80

const isForeign = (text: string): boolean => !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)

/**
 * For an article in another language: only who or what each sentence is about, which needs no
 * translation.
 */
function foreignSentences(text: string): Sentence[] {
  const all = text.split(/(?<=[.!?])\s+/u).filter((one) => one.length >= 30 && one.length <= 280)
  return all.slice(0, 3).map((one) => ({
    text: `${topicOf(one)}については、このように伝えられているという。`,
    quote: one.slice(0, QUOTED),
  }))
}

/** A word for the subject of a text: its first name, else its first long word. */
function topicOf(text: string): string {
  const words = text.replace(/^(?:The|A|An|In|On|At)\s/u, '').match(/[A-Za-z][\w-]*/gu) ?? []
  return words.find((word) => /^[A-Z]\w{2,11}$/u.test(word)) ?? words.find((word) => word.length > 4) ?? ''
}

/** Longest run of the article's characters, where it has words to split at. */
const COPIED = 15
const FILLERS = ['、あわせて、', '、さらに、', '、かさねて、', '、なおも、', '、また、']

function retell(sentence: string): string {
  const clauses = sentence.slice(0, -1).split('、')
  let told = ''
  for (const clause of clauses) {
    const longer = told === '' ? clause : `${told}、${clause}`
    if (told !== '' && longer.length > 110) break
    told = longer
  }
  let run = 0
  let fillers = 0
  let result = ''
  for (const part of told.split(/(?<=[、はがをにで])(?=[\p{Script=Han}\p{Script=Katakana}])/u)) {
    if (run > 0 && run + part.length > COPIED) {
      result = `${result.replace(/、$/u, '')}${FILLERS[fillers % FILLERS.length]!}`
      fillers += 1
      run = 0
    }
    result += part
    run += part.length
  }
  return `${result}。`
}
