/** An OpenID provider in Google's place: publishes a key for GOOGLE_JWKS_URL, and signs ID tokens with it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export interface OpenIdProvider {
  readonly jwksUrl: string
  /** The ID token of somebody who signed in at the client. */
  signIn(person: { subject: string; email: string; name: string; verified?: boolean }): Promise<string>
  close(): Promise<void>
}

export async function openProvider(clientId: string): Promise<OpenIdProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] })
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(keys))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/certs`,
    signIn: ({ subject, email, name, verified = true }) =>
      new SignJWT({ email, name, email_verified: verified })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuer('https://accounts.google.com')
        .setAudience(clientId)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
