import type { FastifyInstance } from 'fastify'

/**
 * Security headers of every answer. Two pages bring a policy of their own: /docs (docs.ts) and the
 * page of a refusal (refusal-page.ts). No inline script or style may run: page
 * state is a JSON data block, so that cached pages need no nonce. Google's sign-in button needs a
 * script and a frame of Google's, which are only allowed where it is configured.
 */
const contentSecurityPolicy = (withGoogle: boolean): string => {
  const google = (path: string): string => (withGoogle ? ` https://accounts.google.com/gsi/${path}` : '')
  return [
    "default-src 'self'",
    `script-src 'self'${google('client')}`,
    `style-src 'self'${google('style')}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${google('')}`,
    `frame-src ${withGoogle ? google('').trim() : "'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export interface HeaderOptions {
  /** The board is served over https. */
  readonly secure: boolean
  /** The Google sign-in is set up. */
  readonly withGoogle: boolean
}

export function setSecurityHeaders(app: FastifyInstance, { secure, withGoogle }: HeaderOptions): void {
  const headers = {
    'content-security-policy': contentSecurityPolicy(withGoogle),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    // Google's window passes the sign-in back to its opener.
    'cross-origin-opener-policy': withGoogle ? 'same-origin-allow-popups' : 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}
