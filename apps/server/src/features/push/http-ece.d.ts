declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  export interface EncryptOptions {
    readonly version: 'aes128gcm'
    /** Public key of the receiver, uncompressed, in base64url. */
    readonly dh: string
    /** Key pair of the sender, new for each message. */
    readonly privateKey: ECDH
    /** In base64url. */
    readonly authSecret: string
  }

  const ece: { encrypt(text: Buffer, options: EncryptOptions): Buffer }
  export default ece
}
