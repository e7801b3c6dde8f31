import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { IMAGE_MAX_BYTES } from '@shinobi/contract/limits'
import { refuse } from '../lib/api-error.ts'
import { toInputRefusal } from './errors.ts'

/** A form as it came: text fields, and the bytes of the one file it may carry. */
export interface Form {
  readonly fields: Readonly<Record<string, unknown>>
  readonly file: Buffer | null
}

/** Limits of a multipart body: more fields, parts or bytes than any form of ours has. */
export const MULTIPART_LIMITS = {
  fileSize: IMAGE_MAX_BYTES,
  files: 1,
  fields: 12,
  parts: 14,
  fieldSize: 64_000,
  fieldNameSize: 100,
}

/**
 * Reads a multipart form, or a JSON object, with an image in the part `fileField`.
 * @throws ApiError payload_too_large when the image exceeds 10 MB, bad_request when the body is no form
 */
export async function readForm(request: FastifyRequest, fileField: string): Promise<Form> {
  if (!request.isMultipart()) {
    const { body } = request
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refuse('bad_request', 'bad_request')
    return { fields: body as Record<string, unknown>, file: null }
  }
  const fields: Record<string, unknown> = Object.create(null)
  let file: Buffer | null = null
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw refuse('payload_too_large', 'payload_too_large')
        fields[part.fieldname] = part.value
        continue
      }
      const bytes = await part.toBuffer()
      // A browser sends an empty file part when nothing was chosen.
      if (part.fieldname === fileField && bytes.length > 0) file = bytes
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw refuse('payload_too_large', 'image_too_large')
    if (code !== undefined && /^FST_(PARTS|FIELDS|FILES)_LIMIT$/.test(code))
      throw refuse('payload_too_large', 'payload_too_large')
    if (
      code === 'FST_PROTO_VIOLATION' ||
      (error instanceof Error && /unexpected end|boundary|malformed/i.test(error.message))
    ) {
      throw refuse('bad_request', 'bad_request')
    }
    throw error
  }
  return { fields, file }
}

/** Parses what came from outside with a schema of the contract. @throws ApiError with the first problem, in Japanese */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw toInputRefusal(issue.path.map(String).at(-1), issue.message)
}
