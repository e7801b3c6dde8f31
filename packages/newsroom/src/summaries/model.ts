/**
 * Sends one question to the language model by OpenAI's protocol. Endpoints differ: a parameter that
 * one refuses is left out from then on, and an answer is read whether it comes whole or as a
 * stream.
 */
import { z } from 'zod'
import { ModelFailure, told, usageForm, withinLimits, type AskedModel, type AskOptions } from './endpoint.ts'
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
      withinLimits(options, async (post) => {
        for (let tried = manners; ;) {
          try {
            const request = requestOf(prompt, options.llm.model, { form, room, manners: tried })
            const answer = toAnswer(await post('chat/completions', request, answerForm))
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

/** Some models send their answer in parts, and their thoughts in parts without a text. */
const contentForm = z.union([
  z.string(),
  z.array(z.object({ text: z.string().catch('') })).transform((parts) => parts.map(({ text }) => text).join('')),
])
const choiceForm = z.object({
  message: z.object({ content: contentForm.nullish() }),
  finish_reason: z.string().nullish(),
})
const answerForm = z.object({ choices: z.tuple([choiceForm], z.unknown()), usage: usageForm })

function requestOf(
  { instructions, text }: Prompt,
  model: string,
  { form, room, manners }: { form: AnswerForm; room: number; manners: Manners },
): object {
  const schema = z.toJSONSchema(form.schema, { target: 'draft-7' })
  return {
    model,
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: text },
    ],
    [manners.roomName]: room,
    ...(manners.temperature ? { temperature: 0.2 } : {}),
    ...(manners.schema
      ? { response_format: { type: 'json_schema', json_schema: { name: form.name, strict: true, schema } } }
      : {}),
  }
}

function toAnswer(answer: z.infer<typeof answerForm> | null): ModelAnswer {
  if (answer === null) throw new ModelFailure('the answer is not in the form of the protocol', { mayHaveCost: true })
  const [{ message, finish_reason: reason }] = answer.choices
  return {
    text: message.content ?? '',
    isCut: reason === 'length',
    inputTokens: told(answer.usage?.prompt_tokens),
    outputTokens: told(answer.usage?.completion_tokens),
  }
}

/**
 * The parameters for the next attempt after the endpoint refused the request itself; null when
 * nothing is left to leave out.
 */
function refusedFor(error: unknown, manners: Manners): Manners | null {
  if (!(error instanceof ModelFailure) || (error.status !== 400 && error.status !== 422)) return null
  const { message } = error
  if (message.includes('max_completion_tokens') && manners.roomName === 'max_tokens') {
    return { ...manners, roomName: 'max_completion_tokens' }
  }
  if (/temperature/iu.test(message) && manners.temperature) return { ...manners, temperature: false }
  // Endpoints report an unknown schema in many ways, so any other refusal may concern it.
  return manners.schema ? { ...manners, schema: false } : null
}
