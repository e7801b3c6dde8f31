import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import { useEffect, useRef, useState } from 'react'
import { useSite } from '../../app/site-context.tsx'
import { ApiError } from '../../lib/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { enterWithGoogle } from './api.ts'
import { CodeField, readCode } from './code-field.tsx'
import { readForm } from './fields.tsx'
import styles from './google-button.module.css'
import { drawGoogleButton, takeCredentials } from './google-identity.ts'
import { useRequest } from '../../lib/use-request.ts'

const kinds = {
  login: { label: 'Googleでログイン', text: 'signin_with', failed: messages.google_login_failed },
  register: { label: 'Googleで登録', text: 'signup_with', failed: messages.google_register_failed },
} as const

interface GoogleButtonProps {
  kind: keyof typeof kinds
  onEntered: (user: User, message: string) => void
}

/** Google's own button; where the sign-in is not set up, a button that shows this. */
export function GoogleButton({ kind, onEntered }: GoogleButtonProps) {
  const { googleClientId } = useSite()
  const { label } = kinds[kind]
  if (googleClientId !== null) return <LiveButton kind={kind} onEntered={onEntered} clientId={googleClientId} />
  return (
    <div className={styles['google']}>
      <Button disabled className={styles['button']} icon={<GoogleMark />} aria-describedby="google-unavailable">
        {label}
      </Button>
      <p id="google-unavailable" className={styles['hint']}>
        {messages.google_unavailable}
      </p>
    </div>
  )
}

function LiveButton({ kind, onEntered, clientId }: GoogleButtonProps & { clientId: string }) {
  const { label, text, failed } = kinds[kind]
  const slot = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'drawn' | 'missing'>('loading')
  const { busy, problem, complain, send } = useRequest()
  /**
   * Incremented when a token was refused: the nonce may have expired, and the next attempt fetches
   * another.
   */
  const [round, setRound] = useState(0)
  /** The token of an account with a second factor, which waits for the code. */
  const [credential, setCredential] = useState<string | null>(null)

  const latest = useRef(onEntered)
  useEffect(() => {
    latest.current = onEntered
  })

  useEffect(() => {
    const element = slot.current
    if (element === null) return
    drawGoogleButton(element, clientId, text).then(
      () => setState('drawn'),
      (error: unknown) => {
        // The visitor sees the hint below; the cause is logged for developers.
        console.error(failed, error)
        setState('missing')
      },
    )
    const take = (taken: string) => {
      setCredential(null)
      void send(
        () => enterWithGoogle(taken).then(({ user, message }) => latest.current(user, message)),
        (error) => {
          if (error instanceof ApiError && error.code === 'code_required') {
            setCredential(taken)
            return messages.code_required
          }
          if (error instanceof ApiError && error.status === 401) {
            // A press on this button would be refused again.
            element.replaceChildren()
            setState('loading')
            setRound((before) => before + 1)
          }
          return describe(error, kind)
        },
      )
    }
    return takeCredentials(take)
  }, [clientId, text, failed, kind, send, round])

  return (
    <div className={styles['google']} aria-busy={busy || undefined}>
      <div className={styles['place']}>
        <div ref={slot} className={busy ? styles['held'] : styles['slot']} />
        {(busy || state !== 'drawn') && (
          <Button
            disabled={state === 'missing'}
            busy={busy || state === 'loading'}
            icon={<GoogleMark />}
            className={styles['button']}
          >
            {busy ? 'Googleで確認しています…' : label}
          </Button>
        )}
      </div>
      {state === 'missing' && (
        <p className={styles['hint']}>
          Googleのボタンを読み込めませんでした。接続や、広告ブロックの設定をお確かめください。
        </p>
      )}
      {credential !== null && (
        <GoogleCodeForm
          onSubmit={(code) =>
            void send(
              () => enterWithGoogle(credential, code).then(({ user, message }) => onEntered(user, message)),
              (error) => describe(error, kind),
            )
          }
          onEmpty={() => complain(messages.code_required)}
          busy={busy}
        />
      )}
      {problem && <Notice tone={problem === messages.code_required ? 'info' : 'error'}>{problem}</Notice>}
    </div>
  )
}

interface GoogleCodeFormProps {
  busy: boolean
  onSubmit: (code: string) => void
  onEmpty: () => void
}

/** Google has authenticated the user; the account's own second factor is still required. */
function GoogleCodeForm({ busy, onSubmit, onEmpty }: GoogleCodeFormProps) {
  const form = useRef<HTMLFormElement>(null)
  // The only remaining field.
  useEffect(() => form.current?.querySelector<HTMLInputElement>('[name="code"]')?.focus(), [])
  return (
    <form
      ref={form}
      className={styles['code']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const code = readCode(readForm(event.currentTarget, 'code').code)
        if (code === '') onEmpty()
        else onSubmit(code)
      }}
    >
      <CodeField />
      <Button type="submit" variant="primary" busy={busy}>
        続ける
      </Button>
    </form>
  )
}

/**
 * Log-in shows a fixed message, registration the server's (docs/product.md#accounts). Both show a
 * wait, or a reason from Google.
 */
function describe(error: unknown, kind: keyof typeof kinds): string {
  const { failed } = kinds[kind]
  if (!(error instanceof ApiError)) return failed
  if (error.status === 0 || error.code === 'bad_code') return error.message
  if (kind === 'register') return error.fromServer ? error.message : failed
  return error.status === 401 || error.message === failed ? failed : `${failed}。${error.reason}`
}

/** The logo in Google's colours, as their guidelines require for custom buttons. */
const GoogleMark = () => (
  <svg width="1.125rem" height="1.125rem" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
    <path
      fill="#ea4335"
      d="M24 9.5c3.5 0 6.7 1.2 9.2 3.6l6.9-6.9C35.9 2.4 30.5 0 24 0 14.6 0 6.5 5.4 2.6 13.2l8 6.2C12.4 13.7 17.7 9.5 24 9.5Z"
    />
    <path
      fill="#4285f4"
      d="M47 24.6c0-1.6-.2-3.1-.4-4.6H24v9h12.9c-.6 3-2.3 5.5-4.8 7.2l7.7 6C44.4 38 47 31.8 47 24.6Z"
    />
    <path
      fill="#fbbc05"
      d="M10.5 28.6A14.6 14.6 0 0 1 9.8 24c0-1.6.3-3.1.8-4.6l-8-6.2A24 24 0 0 0 0 24c0 3.9.9 7.5 2.6 10.8l7.9-6.2Z"
    />
    <path
      fill="#34a853"
      d="M24 48c6.5 0 11.9-2.1 15.9-5.8l-7.7-6c-2.2 1.4-4.9 2.3-8.2 2.3-6.3 0-11.6-4.2-13.5-9.9l-7.9 6.2C6.5 42.6 14.6 48 24 48Z"
    />
  </svg>
)
