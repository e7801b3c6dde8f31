/**
 * Self-signed certificates for tests, made anew each time. Only clients that get one as their
 * authority trust it.
 */
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export interface Certificate {
  /** PEM, as node:tls takes them. */
  readonly cert: string
  readonly key: string
}

const DAY_MS = 86_400_000

/** DER: a tag, the length of the contents, and the contents. */
function der(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content])
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content)
/** Years from 2000 to 2049 are written with two digits. */
const time = (ms: number): Buffer =>
  der(
    0x17,
    new Date(ms)
      .toISOString()
      .replace(/^20|[-:T]|\.\d+/g, '')
      .slice(0, 13),
  )
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'))
const COMMON_NAME = objectId('550403')
const SUBJECT_ALT_NAME = objectId('551d11')

/** A certificate for a host, valid from yesterday to tomorrow by the real clock. */
export function makeCertificate(host: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certified = writeCertified(host, publicKey)
  const signature = sign('sha256', certified, privateKey)
  const whole = sequence(certified, ECDSA_WITH_SHA256, bits(signature)).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
}

/** The signed part: X.509 version 3, whose issuer is its subject. */
function writeCertified(host: string, publicKey: KeyObject): Buffer {
  const version = der(0xa0, der(0x02, Buffer.from([2])))
  // Positive, and of constant length.
  const serial = der(0x02, Buffer.from([1]), randomBytes(8))
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, host))))
  const validity = sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS))
  const names = der(0x04, sequence(der(0x82, host)))
  const extensions = der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, names)))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  return sequence(version, serial, ECDSA_WITH_SHA256, name, validity, name, key, extensions)
}
