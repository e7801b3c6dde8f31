import type { ErrorCode } from '@shinobi/contract/errors'
import { messages } from '@shinobi/contract/messages'
import type { z } from 'zod'
import { ApiError, refuse } from './api-error.ts'

type CodeByField = Readonly<Record<string, ErrorCode>>

/** For calls that do not name codes of their own. */
const CODE_BY_FIELD: CodeByField = {
  title: 'bad_title',
  content: 'bad_content',
  nickname: 'bad_nickname',
  name: 'bad_nickname',
  category: 'bad_category',
  search: 'bad_search',
  cursor: 'bad_cursor',
  reason: 'bad_reason',
  username: 'bad_username',
  email: 'bad_email',
  password: 'bad_password',
  currentPassword: 'bad_password',
  token: 'bad_token',
  word: 'bad_word',
  words: 'bad_word',
}

/** What is wrong with a field. */
export interface InputProblem {
  /** Its last name, for one within another. */
  readonly field: string | undefined
  readonly message: string | undefined
}

/**
 * Parses external input with a schema of the contract. @throws ApiError with one problem, in
 * Japanese
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw toInputRefusal(parsed.error.issues.map(({ path, message }) => ({ field: path.map(String).at(-1), message })))
}

/**
 * The first problem, but a missing field before an invalid one. Zod's own messages are English and
 * about types: a field without a message of ours gets the general one.
 * @param codes those of the call, before the general ones
 */
export function toInputRefusal(problems: readonly InputProblem[], codes: CodeByField = {}): ApiError {
  const missing = problems.find(({ message }) => message === messages.register_required_fields)
  const { field, message } = missing ?? problems[0]!
  const code = (field === undefined ? undefined : (codes[field] ?? CODE_BY_FIELD[field])) ?? 'bad_request'
  if (message !== undefined && /[\u3040-\u30ff\u4e00-\u9fff]/.test(message)) return new ApiError(code, message)
  return code === 'bad_cursor' ? refuse(code, 'bad_cursor') : refuse(code, 'bad_request')
}
