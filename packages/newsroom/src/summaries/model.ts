/**
 * Sends one question to the language model by OpenAI's protocol. Endpoints differ: a parameter that
 * one refuses is left out from then on, and an answer is read whether it comes whole or as a
 * stream.
 */
import { z } from 'zod'
import type { Answered } from './calls.ts'
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

export interface ModelAnswer extends Answered {
  /** The answer ended because it reached the limit of tokens. */
  readonly isCut: boolean
}

/** Parameters of a request that some endpoints refuse. */
type Parameter = 'max_tokens' | 'temperature' | 'response_format'

export interface ModelOptions extends AskOptions {
  readonly form: AnswerForm
}

export function createModel({ form, ...options }: ModelOptions): AskedModel<Prompt, ModelAnswer> {
  let refused: readonly Parameter[] = []
  let { room } = form

  return {
    get room() {
      return room
    },
    tokensOf: tokensOfPrompt,
    ask: (prompt) =>
      withinLimits(options, async (post) => {
        for (let left = refused; ;) {
          try {
            const request = requestOf(prompt, options.llm.model, form, { room, left })
            const answer = toAnswer(await post('chat/completions', request, answerForm))
            // Only parameters that were refused rightly: the refusal may have had another cause.
            refused = left
            if (answer.isCut) room = form.roomToThink
            return answer
          } catch (error) {
            left = [...left, refusedBy(error, left)]
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

/** @param left the parameters to leave out */
function requestOf(
  { instructions, text }: Prompt,
  model: string,
  form: AnswerForm,
  { room, left }: { readonly room: number; readonly left: readonly Parameter[] },
): object {
  const schema = z.toJSONSchema(form.schema, { target: 'draft-7' })
  const parameters: Record<Parameter, unknown> = {
    max_tokens: room,
    temperature: 0.2,
    response_format: { type: 'json_schema', json_schema: { name: form.name, strict: true, schema } },
  }
  const messages = [
    { role: 'system', content: instructions },
    { role: 'user', content: text },
  ]
  const kept = Object.entries(parameters).filter(([name]) => !left.some((one) => one === name))
  // Newer models of OpenAI know the limit by another name.
  const limit = left.includes('max_tokens') ? { max_completion_tokens: room } : {}
  return { model, messages, ...Object.fromEntries(kept), ...limit }
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
 * The parameter to leave out after the endpoint refused the request itself.
 * @throws the error where nothing is left to leave out
 */
function refusedBy(error: unknown, left: readonly Parameter[]): Parameter {
  if (!(error instanceof ModelFailure) || (error.status !== 400 && error.status !== 422)) throw error
  const suspects: readonly Parameter[] = [
    ...(error.message.includes('max_completion_tokens') ? (['max_tokens'] as const) : []),
    ...(/temperature/iu.test(error.message) ? (['temperature'] as const) : []),
    // Endpoints report an unknown schema in many ways, so any other refusal may concern it.
    'response_format',
  ]
  const next = suspects.find((suspect) => !left.includes(suspect))
  if (next === undefined) throw error
  return next
}
