import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts values that the database stores but must not be able to read (AES-256-GCM). */
export interface SecretBox {
  /**
   * @param context the owner of the text, such as the id of its row: it only opens with the same
   * context, so that nobody with write access to the database can move it elsewhere
   */
  seal(text: string, context: string): string
  /**
   * @throws when it was changed, sealed with another secret or purpose, or belongs to another
   * context
   */
  open(sealed: string, context: string): string
}

const CIPHER = 'aes-256-gcm'
/** Version of the format, so that a later one can coexist with it. */
const VERSION = 'v1.'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * @param purpose each purpose has its own key, derived from the secret: a text sealed for one does
 * not open for another
 */
export function createSecretBox(secret: string, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `seal ${purpose}`, 32))
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context))
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return VERSION + Buffer.concat(parts).toString('base64url')
    },
    open(sealed, context) {
      try {
        if (!sealed.startsWith(VERSION)) throw new Error('sealed in an unknown format')
        const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-TAG_BYTES))
        const text = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]
        return Buffer.concat(text).toString('utf8')
      } catch (cause) {
        throw new Error('what is sealed cannot be opened', { cause })
      }
    },
  }
}
