/**
 * Google Identity Services: their script renders the button and returns the user's ID token. It is
 * loaded on the two screens with the button, and only where the operator has set up the sign-in.
 */
import { prepareGoogle } from './api.ts'

interface ButtonLook {
  type: 'standard'
  theme: 'filled_black'
  size: 'large'
  shape: 'rectangular'
  text: 'signin_with' | 'signup_with'
  logo_alignment: 'center'
  locale: 'ja'
  /** Pixels, 200 to 400. */
  width: number
}

interface GoogleIdentity {
  initialize(options: {
    client_id: string
    callback: (answer: { credential?: string }) => void
    nonce: string
    ux_mode: 'popup'
    auto_select: false
  }): void
  renderButton(parent: HTMLElement, look: ButtonLook): void
}

declare global {
  interface Window {
    google?: { accounts: { id: GoogleIdentity } }
  }
}

const SCRIPT = 'https://accounts.google.com/gsi/client'

let loading: Promise<GoogleIdentity> | null = null
/** The nonce given to Google; it changes when there was no sign-in for an hour. */
let toldNonce: string | null = null
/** Google's callback is registered once; the screen that receives tokens changes. */
let taker: ((credential: string) => void) | null = null

function load(): Promise<GoogleIdentity> {
  loading ??= new Promise<GoogleIdentity>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = SCRIPT
    script.async = true
    script.onload = () => {
      const identity = window.google?.accounts.id
      if (identity === undefined) reject(new Error('the sign-in script did not define its API'))
      else resolve(identity)
    }
    script.onerror = () => {
      script.remove()
      reject(new Error(`${SCRIPT} could not be loaded`))
    }
    document.head.append(script)
  }).catch((error: unknown) => {
    // The next visit to the screen tries again.
    loading = null
    throw error
  })
  return loading
}

/**
 * Renders Google's button into `parent`, once their script is loaded and the server has provided
 * the nonce for the token.
 */
export async function drawGoogleButton(parent: HTMLElement, clientId: string, text: ButtonLook['text']): Promise<void> {
  const [identity, nonce] = await Promise.all([load(), prepareGoogle()])
  if (!parent.isConnected) return
  if (nonce !== toldNonce) {
    toldNonce = nonce
    identity.initialize({
      client_id: clientId,
      callback: ({ credential }) => {
        if (credential !== undefined) taker?.(credential)
      },
      nonce,
      ux_mode: 'popup',
      auto_select: false,
    })
  }
  const width = Math.min(400, Math.max(200, parent.clientWidth))
  const look = { type: 'standard', theme: 'filled_black', size: 'large', shape: 'rectangular' } as const
  parent.replaceChildren()
  identity.renderButton(parent, { ...look, text, logo_alignment: 'center', locale: 'ja', width })
}

/** From now on `take` receives the tokens. @returns a function that ends this */
export function takeCredentials(take: (credential: string) => void): () => void {
  taker = take
  return () => {
    if (taker === take) taker = null
  }
}
