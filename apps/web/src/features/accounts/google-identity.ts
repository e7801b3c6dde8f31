/**
 * Google Identity Services: their script draws the button and brings the ID token of whoever signs in. It is loaded on the two
 * screens that show the button, and only where the operator has set the sign-in up.
 */
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
/** Google is told once where to bring tokens; which screen takes them changes. */
let taker: ((credential: string) => void) | null = null

function load(clientId: string): Promise<GoogleIdentity> {
  loading ??= new Promise<GoogleIdentity>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = SCRIPT
    script.async = true
    script.onload = () => {
      const identity = window.google?.accounts.id
      if (identity === undefined) return reject(new Error('the sign-in script brought nothing'))
      identity.initialize({
        client_id: clientId,
        callback: ({ credential }) => {
          if (credential !== undefined) taker?.(credential)
        },
        ux_mode: 'popup',
        auto_select: false,
      })
      resolve(identity)
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

/** Draws Google's button into `parent`, once their script is there. */
export async function drawGoogleButton(parent: HTMLElement, clientId: string, text: ButtonLook['text']): Promise<void> {
  const identity = await load(clientId)
  if (!parent.isConnected) return
  const width = Math.min(400, Math.max(200, parent.clientWidth))
  const look = { type: 'standard', theme: 'filled_black', size: 'large', shape: 'rectangular' } as const
  identity.renderButton(parent, { ...look, text, logo_alignment: 'center', locale: 'ja', width })
}

/** From now on tokens go to `take`. @returns ends that */
export function takeCredentials(take: (credential: string) => void): () => void {
  taker = take
  return () => {
    if (taker === take) taker = null
  }
}
