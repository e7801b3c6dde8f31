/**
 * An OpenID provider for tests: serves its keys over HTTP, signs ID tokens, and rotates its keys.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose'

export interface OpenIdProvider {
  /** Address of its keys, for GOOGLE_JWKS_URL. */
  readonly jwksUrl: string
  /** Number of requests for the keys. */
  readonly fetches: number
  /** Signs claims with the current key, or with the header of a forgery. */
  sign(claims: JWTPayload, header?: { readonly kid?: string; readonly alg?: string }): Promise<string>
  /** A token signed with the published key as if it were a shared secret. */
  signWithPublicKey(claims: JWTPayload): Promise<string>
  /** Signs with a new key from now on; the old one is no longer published. */
  rotate(): Promise<void>
  /** Refuses connections until it is opened again, at the same address. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

interface Key {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly jwk: JWK
}

async function makeKey(number: number): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = `key ${number}`
  return { kid, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}

export async function openProvider(): Promise<OpenIdProvider> {
  let made = 1
  let key = await makeKey(made)
  let fetches = 0
  let server: Server
  let port = 0
  const listen = async (): Promise<void> => {
    server = createServer((_request, response) => {
      fetches += 1
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [key.jwk] }))
    }).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const stop = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  await listen()
  return {
    jwksUrl: `http://127.0.0.1:${port}/certs`,
    get fetches() {
      return fetches
    },
    sign: (claims, { kid = key.kid, alg = 'RS256' } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key.privateKey),
    async signWithPublicKey(claims) {
      const secret = new TextEncoder().encode(await exportSPKI(key.publicKey))
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: key.kid }).sign(secret)
    },
    async rotate() {
      made += 1
      key = await makeKey(made)
    },
    goDown: stop,
    comeBack: listen,
    async close() {
      if (server.listening) await stop()
    },
  }
}
