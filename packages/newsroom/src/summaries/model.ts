/**
 * Sends one question to the language model by OpenAI's protocol. Endpoints differ: a parameter that
 * one refuses is left out from then on, and an answer is read whether it comes whole or as a
 * stream.
 */
import type { z } from 'zod'
import {
  callErrorOf,
  fetchWhole,
  told,
  withinLimits,
  type AskedModel,
  type AskOptions,
  type Endpoint,
} from './endpoint.ts'
import type { Prompt } from './prompt.ts'
import { tokensOfPrompt } from './tokens.ts'

/** The form of an answer. */
export interface AnswerForm {
  /** Name of the schema in requests. */
  readonly name: string
  readonly schema: z.ZodType
  /** Maximum tokens. */
  readonly room: number
  /** The same for models that think before they answer and were cut off. */
  readonly roomToThink: number
}

export interface ModelAnswer {
  readonly text: string
  /** The answer ended because it reached the limit of tokens. */
  readonly isCut: boolean
  /** Null when the endpoint does not report it. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

export type LanguageModel = AskedModel<Prompt, ModelAnswer>

/** Parameters of a request besides the question, as far as the endpoint accepts them. */
interface Manners {
  /** Whether to require our JSON schema. */
  readonly schema: boolean
  readonly temperature: boolean
  /** Newer models of OpenAI use the second name. */
  readonly roomName: 'max_tokens' | 'max_completion_tokens'
}

/** One request. */
interface Question {
  readonly form: AnswerForm
  readonly manners: Manners
  readonly room: number
  readonly prompt: Prompt
  readonly signal: AbortSignal
}

export interface ModelOptions extends AskOptions {
  readonly form: AnswerForm
}

export function createModel({ form, ...options }: ModelOptions): LanguageModel {
  let manners: Manners = { schema: true, temperature: true, roomName: 'max_tokens' }
  let { room } = form

  return {
    get room() {
      return room
    },
    tokensOf: tokensOfPrompt,
    ask: (prompt) =>
      withinLimits(options, async (signal) => {
        for (let tried = manners; ;) {
          try {
            const answer = await askOnce(options.llm, { form, manners: tried, room, prompt, signal })
            // Only parameters that then worked are kept: the refusal may have had another cause.
            manners = tried
            if (answer.isCut) room = form.roomToThink
            return answer
          } catch (error) {
            const less = refusedFor(error, tried)
            if (less === null) throw error
            tried = less
          }
        }
      }),
  }
}

/**
 * Sends one request. The packages are large (about 150 ms and 25 MB), so they are loaded with the
 * first request: most boards have no model, and must not start later because of it.
 */
async function askOnce(llm: Endpoint, { form, manners, room, prompt, signal }: Question): Promise<ModelAnswer> {
  const [{ generateText, Output }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ])
  const provider = createOpenAICompatible({
    name: 'llm',
    baseURL: llm.baseUrl,
    supportsStructuredOutputs: true,
    fetch: fetchWhole,
    transformRequestBody: ({ max_tokens, ...body }) => ({ ...body, [manners.roomName]: max_tokens }),
    ...(llm.apiKey === null ? {} : { apiKey: llm.apiKey }),
  })
  const result = await generateText({
    model: provider.chatModel(llm.model),
    instructions: prompt.instructions,
    prompt: prompt.text,
    maxOutputTokens: room,
    maxRetries: 0,
    abortSignal: signal,
    ...(manners.temperature ? { temperature: 0.2 } : {}),
    // The answer is parsed here in any case: endpoints that ignore the schema put text around the
    // JSON.
    ...(manners.schema
      ? {
          output: {
            ...Output.object({ schema: form.schema, name: form.name }),
            parseCompleteOutput: ({ text }: { text: string }) => Promise.resolve(text),
          },
        }
      : {}),
  })
  return {
    text: result.text,
    isCut: result.finishReason === 'length',
    inputTokens: told(result.usage.inputTokens),
    outputTokens: told(result.usage.outputTokens),
  }
}

/**
 * The parameters for the next attempt after the endpoint refused the request itself; null when
 * nothing is left to leave out.
 */
function refusedFor(error: unknown, manners: Manners): Manners | null {
  const { statusCode, responseBody = '' } = callErrorOf(error) ?? {}
  if (statusCode !== 400 && statusCode !== 422) return null
  if (responseBody.includes('max_completion_tokens') && manners.roomName === 'max_tokens') {
    return { ...manners, roomName: 'max_completion_tokens' }
  }
  if (/temperature/iu.test(responseBody) && manners.temperature) return { ...manners, temperature: false }
  // Endpoints report an unknown schema in many ways, so any other refusal may concern it.
  return manners.schema ? { ...manners, schema: false } : null
}
