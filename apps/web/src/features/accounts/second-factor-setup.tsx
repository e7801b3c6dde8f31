import { messages } from '@shinobi/contract/messages'
import { useEffect, useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useRequest, wordsOf } from '../../lib/use-request.ts'
import { Button } from '../../ui/button.tsx'
import { AccountForm } from './account-form.tsx'
import { confirmSecondFactor, setUpSecondFactor } from './api.ts'
import { CodeField, readCode } from './code-field.tsx'
import { ConfirmedForm } from './confirmed-form.tsx'
import { focusFirst, readForm } from './fields.tsx'
import styles from './second-factor-setup.module.css'

interface SetUpSecondFactorProps {
  /** The user name. */
  name: string
  hasPassword: boolean
  onClose: () => void
  /**
   * The second factor is enabled. With `hasCodes`, the recovery codes are on the screen; without,
   * the answer that had them was lost.
   */
  onEnabled: (hasCodes: boolean) => void
}

type Stage =
  | { kind: 'password' }
  | { kind: 'scan'; secret: string; uri: string }
  | { kind: 'codes'; recoveryCodes: readonly string[] }

/**
 * Asks for the password, shows the secret for the authenticator and verifies a first code, then
 * shows the recovery codes.
 */
export function SetUpSecondFactor({ name, hasPassword, onClose, onEnabled }: SetUpSecondFactorProps) {
  const [stage, setStage] = useState<Stage>({ kind: 'password' })
  if (stage.kind === 'password')
    return <Begin name={name} hasPassword={hasPassword} onBegun={(secret) => setStage({ kind: 'scan', ...secret })} />
  if (stage.kind === 'scan')
    return (
      <Scan
        {...stage}
        onConfirmed={(recoveryCodes) => {
          setStage({ kind: 'codes', recoveryCodes })
          onEnabled(true)
        }}
        onCodesLost={() => onEnabled(false)}
      />
    )
  return <RecoveryCodes name={name} codes={stage.recoveryCodes} onClose={onClose} />
}

interface BeginProps {
  name: string
  hasPassword: boolean
  onBegun: (secret: { secret: string; uri: string }) => void
}

function Begin({ name, hasPassword, onBegun }: BeginProps) {
  return (
    <ConfirmedForm
      name={name}
      hasPassword={hasPassword}
      label="次へ"
      intro={
        <p>
          ログインのとき、パスワードに加えて、スマートフォンの認証アプリ（Google Authenticator、Microsoft
          Authenticator、1Passwordなど）が示す6桁のコードを尋ねるようにします。
        </p>
      }
      fields={[]}
      send={async (currentPassword) => onBegun(await setUpSecondFactor(currentPassword))}
    />
  )
}

interface ScanProps {
  secret: string
  uri: string
  onConfirmed: (recoveryCodes: readonly string[]) => void
  /** It was confirmed before, by an attempt without an answer. */
  onCodesLost: () => void
}

function Scan({ secret, uri, onConfirmed, onCodesLost }: ScanProps) {
  const request = useRequest()
  const submit = async (form: HTMLFormElement) => {
    const code = readCode(readForm(form, 'code').code)
    if (code === '') request.complain(messages.code_required)
    else if (
      await request.send(
        async () => onConfirmed(await confirmSecondFactor(code)),
        (error) => {
          if (!(error instanceof ApiError && error.code === 'already_done')) return wordsOf(error)
          onCodesLost()
          return messages.recovery_codes_lost
        },
      )
    )
      return
    focusFirst(form, ['code'])
  }
  return (
    <AccountForm request={request} onSubmit={submit} label="有効にする">
      {(about) => (
        <>
          <p>認証アプリでこのコードを読み取り、アプリに出た6桁のコードを入力してください。</p>
          <div className={styles['scan']}>
            <QrCode text={uri} />
            <div className={styles['typed']}>
              <p>読み取れないときは、この鍵をアプリに入力します。</p>
              <code className={styles['secret']}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
              <a href={uri}>この端末の認証アプリで開く</a>
            </div>
          </div>
          <CodeField describedBy={about('code')} recovery={false} />
        </>
      )}
    </AccountForm>
  )
}

/**
 * Rendered in the browser, by code that is loaded only here: the secret is sent to no other
 * service.
 */
function QrCode({ text }: { text: string }) {
  const [modules, setModules] = useState<readonly (readonly boolean[])[] | null>(null)
  useEffect(() => {
    let shown = true
    import('uqr').then(
      ({ encode }) => {
        if (shown) setModules(encode(text, { ecc: 'M', border: 2 }).data)
      },
      // The secret as text is enough.
      () => {},
    )
    return () => {
      shown = false
    }
  }, [text])
  const size = modules?.length ?? 1
  const path = modules?.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className={styles['qr']}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="認証アプリで読み取るQRコード"
    >
      <path d={path} />
    </svg>
  )
}

function RecoveryCodes({ name, codes, onClose }: { name: string; codes: readonly string[]; onClose: () => void }) {
  const [copied, setCopied] = useState<boolean | null>(null)
  const text = codes.join('\n')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <div className={styles['codes']}>
      <p>
        <b>二段階認証が有効になりました。</b>
        スマートフォンをなくしたときは、この復旧コードでログインできます。それぞれ1回だけ使えます。表示するのは今だけです。
      </p>
      <ul className={styles['list']}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className={styles['result']} aria-live="polite">
        {copied === true && 'コピーしました。'}
        {copied === false && 'コピーできませんでした。ファイルに保存するか、書き写してください。'}
      </p>
      <div className={styles['buttons']}>
        <Button size="sm" onClick={() => void copy()}>
          コピー
        </Button>
        <Button size="sm" onClick={() => save(`忍板の復旧コード（${name}）\n\n${text}\n`)}>
          ファイルに保存
        </Button>
        <Button size="sm" variant="primary" data-autofocus onClick={onClose}>
          控えました
        </Button>
      </div>
    </div>
  )
}

const save = (text: string): void => saveFile('shinobi-ita-recovery-codes.txt', 'text/plain;charset=utf-8', text)
