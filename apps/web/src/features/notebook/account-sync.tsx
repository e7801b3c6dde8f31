import { messages } from '@shinobi/contract/messages'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useRequest, wordsOf } from '../../lib/use-request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice, type NoticeTone } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'
import { isSyncOn, loadSync } from './follow-member.ts'
import styles from './notebook.module.css'
import { subscribeSyncSwitch, switchSync } from './sync-switch.ts'
import type * as sync from './sync.ts'

type Sync = typeof sync

interface AccountSyncProps {
  memberId: string
  /** Part of ids and of keys of queries. */
  kind: 'notebook' | 'hiding'
  /** What is kept alike while synchronising is on, and that nothing is while it is off. */
  words: { readonly on: string; readonly off: string }
  /** How much is stored, and that in words. */
  count: (code: Sync, context: { signal?: AbortSignal }) => Promise<{ readonly total: number; readonly text: string }>
  addLabel: string
  canAdd: boolean
  /** @returns what is said afterwards */
  add: (code: Sync) => Promise<string>
  clearLabel: string
  clearWarning: string
  clearButton: string
  clear: (code: Sync) => Promise<string>
  /** Why the account does not take what changes; null if it does. */
  refusal?: (code: Sync) => string | null
}

const STORED = ['notebook', 'stored']

/** What is stored with the account, and the choice whether anything is. */
export function AccountSync(props: AccountSyncProps) {
  const { memberId, kind, words, count, addLabel, canAdd, add, clearLabel, clearWarning, clearButton, clear } = props
  const { refusal } = props
  const isOn = useSyncExternalStore(subscribeSyncSwitch, isSyncOn, () => true)
  const queryClient = useQueryClient()
  const { data: stored, isError } = useQuery({
    queryKey: [...STORED, kind, memberId],
    queryFn: async (context) => await count(await loadSync(), context),
    refetchOnMount: 'always',
  })
  const [refused, setRefused] = useState<string | null>(null)
  const [result, setResult] = useState<{ tone: NoticeTone; text: string } | null>(null)
  const [clearing, setClearing] = useState(false)
  const { busy, send } = useRequest()
  useEffect(() => {
    let isShown = true
    let leave = () => {}
    const start = async () => {
      const code = await loadSync()
      if (!isShown) return
      leave = code.subscribeSync(() => {
        setRefused(refusal?.(code) ?? null)
        void queryClient.invalidateQueries({ queryKey: STORED })
      })
      await code.syncNow()
    }
    // Without its code the page shows what this browser knows.
    start().catch(() => {})
    return () => {
      isShown = false
      leave()
    }
  }, [queryClient, refusal])

  const attempt = (work: (code: Sync) => Promise<string>) =>
    send(
      async () => {
        setResult(null)
        setResult({ tone: 'success', text: await work(await loadSync()) })
      },
      (error) => {
        setResult({ tone: 'error', text: wordsOf(error) })
        return wordsOf(error)
      },
    )

  const clearAll = async () => {
    await attempt(clear)
    setClearing(false)
  }

  return (
    <section className={styles['tools']} aria-labelledby={`${kind}-sync`}>
      <h2 id={`${kind}-sync`} className={styles['heading']}>
        ほかの端末との同期
      </h2>
      <p className={styles['words']}>{isOn ? words.on : words.off}</p>
      <p className={`${styles['words']} ${styles['stored']}`} role="status">
        {isError
          ? messages.notebook_stored_unknown
          : stored === undefined
            ? 'アカウントの記録を確かめています。'
            : stored.text}
      </p>
      <div className={styles['buttons']}>
        <Switch checked={isOn} onChange={switchSync}>
          このブラウザで同期する
        </Switch>
        {isOn && (
          <Button size="sm" busy={busy} aria-disabled={!canAdd || undefined} onClick={() => void attempt(add)}>
            {addLabel}
          </Button>
        )}
        <Button size="sm" variant="danger" disabled={stored?.total === 0} onClick={() => setClearing(true)}>
          {clearLabel}
        </Button>
      </div>
      {result !== null ? (
        <Notice tone={result.tone} onClose={() => setResult(null)}>
          {result.text}
        </Notice>
      ) : (
        refused !== null && <Notice tone="error">{refused}</Notice>
      )}
      <Dialog
        open={clearing}
        onClose={() => setClearing(false)}
        title={clearLabel}
        footer={
          <>
            <Button data-autofocus onClick={() => setClearing(false)}>
              キャンセル
            </Button>
            <Button variant="danger" busy={busy} onClick={() => void clearAll()}>
              {clearButton}
            </Button>
          </>
        }
      >
        <p>{clearWarning}</p>
      </Dialog>
    </section>
  )
}
