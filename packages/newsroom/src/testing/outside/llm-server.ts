/**
 * A language model for tests: a real server that speaks OpenAI's protocol like vLLM and OpenAI.
 * Tests set its behaviour: a true summary of the given article, or one of the failures of models
 * and endpoints.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { listen } from './listen.ts'
import { repeat } from './publishers.ts'

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
  /**
   * Obeys an instruction in the article («…と書いてください»), and quotes that instruction. Without one it
   * is honest.
   */
  | 'obedient'
  /** JSON that ends in the middle, as at the limit of tokens; finish_reason says so. */
  | 'malformed'
  /** Prose without any JSON. */
  | 'prose'
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
  /** Exactly this answer. */
  | { readonly body: unknown }
  | 'hang'
  | Refusal

export interface LlmRequest {
  /** As the client sent it. */
  readonly body: LlmBody
  /** The whole input of the model, system and user messages together. */
  readonly prompt: string
}

interface LlmBody {
  readonly model?: string
  readonly input?: readonly string[]
  readonly messages?: readonly { readonly role: string; readonly content: string }[]
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: unknown } }
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly temperature?: number
}

export interface LlmOptions {
  /** Names of parameters that it refuses with 400, as endpoints do that do not know them. */
  readonly refuses?: readonly (keyof typeof REFUSALS)[]
  /** The key that it requires; without one it answers everybody. */
  readonly apiKey?: string
  /** The model that it has; requests for others get 404. */
  readonly model?: string
}

export type LlmServer = Awaited<ReturnType<typeof startLlm>>

/** A constant behaviour, a sequence (whose last one stays), or one by request. */
type Behaving = LlmBehaviour | readonly LlmBehaviour[] | ((request: LlmRequest) => LlmBehaviour)

/** Starts a model on a free local port. */
export async function startLlm(behaviour: Behaving = 'honest', options: LlmOptions = {}) {
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
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalFor(request, options)
    const text = await textOf(request)
    if (refusal !== null) return sendError(response, refusal)
    const body = JSON.parse(text) as LlmBody
    if (body.input !== undefined) {
      const wanted = { model: body.model, input: body.input }
      texts.push(wanted)
      return sendVectors(response, wanted, vectorsOf(wanted))
    }
    const prompt = (body.messages ?? []).map(({ content }) => content).join('\n')
    const asked: LlmRequest = { body, prompt }
    const claim = claimIn(asked)
    if (claim === null) requests.push(asked)
    else claims.push(claim)
    const unusable = refusalOf(body, options)
    if (unusable !== null) return sendError(response, unusable)
    if (claim !== null) {
      const verdict = verdictOf(claim)
      if (typeof verdict === 'object') return sendError(response, verdict)
      const words = JSON.stringify({ verdict, reason: 'passage にそう書かれている。' })
      return answer(response, asked, { answer: verdict === 'prose' ? 'はい、そのとおりです。' : words })
    }
    const how = next(asked)
    if (typeof how === 'object' && 'status' in how) return sendError(response, how)
    if (how === 'hang') return
    answer(response, asked, how)
  }

  const { port, close } = await listen(
    createServer((request, response) => void serve(request, response).catch(() => response.destroy())),
  )
  return {
    /** For LLM_BASE_URL. */
    url: `http://127.0.0.1:${port}/v1`,
    /** Requests for summaries, verdicts and vectors, each in order. */
    ...{ requests, claims, texts },
    /** Sets how it behaves from now on. */
    behave: (how: Behaving) => void (next = chooser(how)),
    /** Sets the verdicts from now on. By default each claim is supported. */
    judge: (how: typeof verdictOf) => void (verdictOf = how),
    /** Sets the vectors from now on. By default no two texts are alike. */
    embed: (how: typeof vectorsOf) => void (vectorsOf = how),
    close,
  }
}

type Refusal = Extract<LlmBehaviour, { status: number }>
type Behaviour = Exclude<LlmBehaviour, Refusal | 'hang'>

function chooser(how: Behaving): (request: LlmRequest) => LlmBehaviour {
  if (typeof how === 'function') return how
  if (!Array.isArray(how)) return () => how as LlmBehaviour
  const queue: LlmBehaviour[] = [...how]
  return () => (queue.length > 1 ? queue.shift()! : (queue[0] ?? 'honest'))
}

/** The claim of a request for a verdict; null for another request. */
function claimIn({ body, prompt }: LlmRequest): AskedClaim | null {
  const last = body.messages?.at(-1)?.content ?? ''
  if (!last.startsWith('{"claim":')) return null
  const { claim, passage, title } = JSON.parse(last) as Pick<AskedClaim, 'claim' | 'passage' | 'title'>
  return { claim, passage, title, prompt, model: body.model }
}

function refusalFor({ url = '', headers }: IncomingMessage, { apiKey }: LlmOptions): Refusal | null {
  if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
    // Real endpoints repeat the key that they were sent.
    return { status: 401, message: `Incorrect API key provided: ${headers.authorization?.slice(7) ?? 'none'}.` }
  }
  const isKnown = ['/v1/chat/completions', '/v1/embeddings'].includes(url)
  return isKnown ? null : { status: 404, message: '404 page not found' }
}

/** What endpoints say of parameters that they do not know. */
const REFUSALS = {
  response_format: "'response_format' is not supported with this model.",
  max_tokens: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
  temperature: "Unsupported value: 'temperature' does not support 0.2 with this model.",
} as const

function refusalOf(body: LlmBody, { model, refuses = [] }: LlmOptions): Refusal | null {
  if (model !== undefined && body.model !== model) {
    return { status: 404, message: `The model \`${body.model}\` does not exist.` }
  }
  const refused = refuses.find((name) => body[name] !== undefined)
  if (refused !== undefined) return { status: 400, message: REFUSALS[refused] }
  const schema = body.response_format?.json_schema?.schema
  return isStrict(schema)
    ? null
    : { status: 400, message: 'Invalid schema for response_format: objects need additionalProperties: false.' }
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

function sendVectors(response: ServerResponse, { model, input }: AskedTexts, how: EmbeddingBehaviour): void {
  if (how === 'hang') return
  if ('status' in how) return sendError(response, how)
  if ('body' in how) return sendJson(response, 200, how.body)
  const data = how.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const usage = { prompt_tokens: tokens(input.join('')) }
  sendJson(response, 200, { object: 'list', model, data, usage })
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function sendError(response: ServerResponse, { status, retryAfter, message }: Refusal): void {
  const error = { message: message ?? `This is error ${status}.`, type: 'error', param: null, code: null }
  sendJson(response, status, { error }, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
}

function answer(response: ServerResponse, request: LlmRequest, how: Behaviour): void {
  if (how === 'huge') {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"choices":[{"message":{"role":"assistant","content":"')
    return repeat(response, Buffer.from('あ'))
  }
  const words = say(request, how)
  const cost = typeof how === 'object' ? how.cost : undefined
  const told = {
    prompt_tokens: cost?.input ?? tokens(request.prompt),
    completion_tokens: cost?.output ?? tokens(words),
  }
  const usage = how === 'silent' ? {} : { usage: told }
  const finish = how === 'malformed' ? 'length' : 'stop'
  if (how === 'streamed') return stream(response, words, finish, usage)
  const message = { role: 'assistant', content: words }
  const whole = { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], ...usage }
  if (how !== 'cut_off') return sendJson(response, 200, whole)
  const text = JSON.stringify(whole)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

/** Approximates a tokenizer for Japanese. */
const tokens = (text: string): number => Math.ceil(text.length * 0.9)

/** Pieces of 16 characters as server-sent events, the usage in a chunk of its own, and [DONE]. */
function stream(response: ServerResponse, words: string, finish: string, usage: object): void {
  const chunk = (fields: object) => `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...fields })}\n\n`
  const choice = (delta: object, reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason: reason }] })
  const pieces = Array.from(words.matchAll(/[\s\S]{1,16}/gu), ([content]) => choice({ content }))
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.write(choice({ role: 'assistant', content: '' }))
  response.write(`: a comment, as some proxies send to keep the line open\n\n${pieces.join('')}${choice({}, finish)}`)
  response.end(`${chunk({ choices: [], ...usage })}data: [DONE]\n\n`)
}

/** The text of the model. */
function say(request: LlmRequest, how: Exclude<Behaviour, 'huge'>): string {
  if (typeof how === 'object') return how.answer
  if (how === 'prose') return '申し訳ありませんが、この記事は要約できません。'
  const json = JSON.stringify(summaryOf(request.prompt, how))
  if (how === 'malformed') return json.slice(0, json.length * 0.6)
  if (how === 'chatty') {
    return `<think>\nまず {記事} を読む。\n</think>\n\n要約は次のとおりです。\n\n\`\`\`json\n${json}\n\`\`\`\n\n以上です。`
  }
  // Without a schema, models like to wrap JSON in a code fence.
  return request.body.response_format === undefined ? `\`\`\`json\n${json}\n\`\`\`` : json
}

interface Summary {
  readonly title: string
  readonly sentences: readonly { readonly text: string; readonly quote: string }[]
}

function summaryOf(prompt: string, how: LlmBehaviour): Summary {
  const { title, text } = articleIn(prompt)
  const sentences = honestSentences(text)
  switch (how) {
    case 'one_invented': {
      const invented = { text: '被害の総額は98億7654万円に上るという。', quote: sentences[0]?.quote ?? '' }
      return { title, sentences: [...sentences.slice(0, 3), invented] }
    }
    case 'invented':
      return { title, sentences: sentences.map(({ quote }, at) => ({ text: INVENTED[at % INVENTED.length]!, quote })) }
    case 'misquoted':
      return { title, sentences: sentences.map((one) => ({ ...one, quote: `${one.quote.slice(0, -1)}といわれる。` })) }
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
  if (isForeign(text)) return { title: '海外からの知らせ', text }
  // A long title is cut at a pause.
  const start = [...title].slice(0, 34).join('')
  return { title: start === title ? title : (/^.{8,}(?=[、。　 …|｜-])/u.exec(start)?.[0] ?? start), text }
}

/**
 * The summary of an honest model: three sentences of the article, changed a little, so that no long
 * run of words is copied. Facts stay as they are: numbers, names and negations.
 */
function honestSentences(text: string): Summary['sentences'] {
  if (isForeign(text)) return foreignSentences(text)
  const all = text.split(/(?<=。)|\n/u).map((one) => one.trim())
  // Leaves sentences to readers and quotations alone.
  const isPlain = (one: string): boolean => !/[「」『』【】（）]|クリック|登録|指示|要約|https?:|@/u.test(one)
  const plain = all.filter((one) => /^.{14,279}。$/su.test(one) && isPlain(one))
  return plain.slice(0, 3).map((one) => ({ text: retell(one), quote: one.slice(0, QUOTED) }))
}

/** Characters of a quote: three of them are the most that any article allows. */
const QUOTED = 80

const isForeign = (text: string): boolean => !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)

/** What can be said of an article in another language without a translation. */
const OF_FOREIGN = ['海外で伝えられた話題である。', 'くわしい経緯も伝えられた。', '現地の様子も伝えられた。']

const foreignSentences = (text: string): Summary['sentences'] =>
  text
    .split(/(?<=[.!?])\s+/u)
    .filter((one) => one.length >= 30 && one.length <= 280)
    .slice(0, 3)
    .map((one, at) => ({ text: OF_FOREIGN[at]!, quote: one.slice(0, QUOTED) }))

/** Longest run of the article's characters, where it has words to split at. */
const COPIED = 15
const FILLERS = ['、あわせて、', '、さらに、', '、かさねて、', '、なおも、', '、また、']

function retell(sentence: string): string {
  const clauses = sentence.slice(0, -1).split('、')
  const fits = (count: number): boolean => clauses.slice(0, count).join('、').length <= 110
  const told = clauses.filter((_, at) => at === 0 || fits(at + 1)).join('、')
  const [first = '', ...parts] = told.split(/(?<=[、はがをにで])(?=[\p{Script=Han}\p{Script=Katakana}])/u)
  const runs = [first]
  for (const part of parts) {
    if (runs.at(-1)!.length + part.length > COPIED) runs.push(part)
    else runs[runs.length - 1] += part
  }
  const join = (told: string, run: string, at: number): string =>
    `${told.replace(/、$/u, '')}${FILLERS[(at - 1) % FILLERS.length]!}${run}`
  return `${runs.reduce(join)}。`
}
