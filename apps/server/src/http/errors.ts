import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { Call } from '@shinobi/contract/common'
import { ApiError, isDiskFailing, refuse, toApiError } from '../lib/api-error.ts'
import { toInputRefusal } from '../lib/parse-input.ts'
import { unexpected } from '../lib/request-id.ts'

/**
 * Makes every failed call answer `{message, code}`: refusals, invalid input, Fastify's own errors
 * and unexpected ones.
 */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(reply, refusalOf(error, request)))
  app.setNotFoundHandler((_request, reply) => answerError(reply, refuse('not_found', 'not_found')))
}

/** Sends a refusal; errors are never cached. */
export const answerError = (reply: FastifyReply, refusal: ApiError): FastifyReply =>
  beginRefusal(reply, refusal).type('application/json; charset=utf-8').send(refusal.toAnswer())

/**
 * Answers a request that Node cannot parse: an address or headers above 16 kB, one that is sent too
 * slowly, or no HTTP.
 */
export function answerUnparsed({ code }: NodeJS.ErrnoException, socket: Socket): void {
  // A broken connection takes no answer.
  if (socket.writable && code !== 'ECONNRESET') {
    const refusal = refusalOfUnparsed(code)
    const body = JSON.stringify(refusal.toAnswer())
    socket.write(
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nConnection: close\r\nCache-Control: no-store\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  }
  socket.destroy()
}

function refusalOfUnparsed(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return refuse('headers_too_large', 'payload_too_large')
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? refuse('too_slow', 'too_slow') : refuse('bad_request', 'bad_request')
}

/** Sets status and header fields of a refusal; the caller sends the body. */
export function beginRefusal(reply: FastifyReply, refusal: ApiError): FastifyReply {
  reply.header('cache-control', 'no-store')
  if (refusal.retryAfter !== null) reply.header('retry-after', String(refusal.retryAfter))
  // The rest of the body is not read.
  if (refusal.code === 'too_slow') reply.header('connection', 'close')
  return reply.code(refusal.status)
}

/**
 * What a failed request is answered. Failures that no rule has decided are logged; an unexpected
 * one is answered with the id under which the log has it.
 */
export function refusalOf(error: FastifyError, request: FastifyRequest): ApiError {
  const refusal = toRefusal(error, request)
  if (refusal.code === 'unexpected') {
    request.log.error({ err: error }, 'request failed')
    return unexpected(request.id)
  }
  // Refusals by a rule are expected; other causes of unavailability must be in the log.
  if (refusal.code === 'unavailable' && !(error instanceof ApiError))
    request.log.warn({ err: error }, isDiskFailing(error) ? 'disk failing' : 'database away')
  if (refusal.code === 'disk_full' && !(error instanceof ApiError)) request.log.warn({ err: error }, 'disk full')
  return refusal
}

function toRefusal(error: FastifyError, request: FastifyRequest): ApiError {
  if (hasZodFastifySchemaValidationErrors(error)) {
    // An invalid id in the address identifies nothing.
    if (error.validationContext === 'params') return refuse('not_found', 'not_found')
    const { codes } = (request.routeOptions.schema ?? {}) as Partial<Call['schema']>
    return toInputRefusal(
      error.validation.map(({ instancePath, message }) => ({ field: instancePath.split('/').at(-1), message })),
      codes,
    )
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse('payload_too_large', 'payload_too_large')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return refuse('unsupported_media_type', 'unsupported_media_type')
    default:
  }
  const refusal = toApiError(error)
  if (refusal.code !== 'unexpected') return refusal
  const status = error.statusCode ?? 500
  if (status === 404) return refuse('not_found', 'not_found')
  return status >= 400 && status < 500 ? refuse('bad_request', 'bad_request') : refusal
}
