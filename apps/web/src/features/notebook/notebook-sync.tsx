import { messages } from '@shinobi/contract/messages'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { inFigures } from '../../lib/in-figures.ts'
import { useRequest, wordsOf } from '../../lib/use-request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice, type NoticeTone } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'
import { isSyncOn, loadSync, subscribeSyncSwitch, switchSync } from './follow-member.ts'
import styles from './notebook.module.css'

const STORED = ['notebook', 'stored']

/** What is stored of the notebook with the account, and the choice whether anything is. */
export function NotebookSync({ memberId, hasRecords }: { memberId: string; hasRecords: boolean }) {
  const isOn = useSyncExternalStore(subscribeSyncSwitch, isSyncOn, () => true)
  const queryClient = useQueryClient()
  const { data: total, isError } = useQuery({
    queryKey: [...STORED, memberId],
    queryFn: async (context) => await (await loadSync()).countStored(context),
    refetchOnMount: 'always',
  })
  const [result, setResult] = useState<{ tone: NoticeTone; text: string } | null>(null)
  const [clearing, setClearing] = useState(false)
  const { busy, send } = useRequest()
  useEffect(() => {
    let isShown = true
    let leave = () => {}
    const start = async () => {
      const { subscribeSync, syncNow } = await loadSync()
      if (!isShown) return
      leave = subscribeSync(() => void queryClient.invalidateQueries({ queryKey: STORED }))
      await syncNow()
    }
    // Without its code the lists show what this browser knows.
    start().catch(() => {})
    return () => {
      isShown = false
      leave()
    }
  }, [queryClient])

  const attempt = (work: () => Promise<string>) =>
    send(
      async () => {
        setResult(null)
        setResult({ tone: 'success', text: await work() })
      },
      (error) => {
        setResult({ tone: 'error', text: wordsOf(error) })
        return wordsOf(error)
      },
    )

  const add = () =>
    attempt(async () => {
      await (await loadSync()).addToAccount(memberId)
      return 'この帳面をアカウントに加えました。'
    })

  const clear = async () => {
    await attempt(async () => {
      await (await loadSync()).clearAccount(memberId)
      return 'アカウントの記録を消しました。'
    })
    setClearing(false)
  }

  return (
    <section className={styles['tools']} aria-labelledby="notebook-sync">
      <h2 id="notebook-sync" className={styles['heading']}>
        ほかの端末との同期
      </h2>
      <p className={styles['words']}>
        {isOn
          ? 'ログイン中に読んだところ、お気に入り、履歴、自分のスレと書き込みは、このブラウザとアカウントの両方に保存され、同じアカウントのほかの端末と合わさります。ログイン前の記録や、ほかの会員が残した記録は送りません。'
          : 'このブラウザで読んだスレッドは、アカウントに保存しません。ほかの端末の記録も受け取りません。'}
      </p>
      <p className={styles['words']} role="status">
        {isError
          ? messages.notebook_stored_unknown
          : total === undefined
            ? 'アカウントの記録を確かめています。'
            : `アカウントには${inFigures(total)}件のスレッドの記録があります。本人のほかには見えません。`}
      </p>
      <div className={styles['buttons']}>
        <Switch checked={isOn} onChange={switchSync}>
          このブラウザで同期する
        </Switch>
        {isOn && (
          <Button size="sm" busy={busy} aria-disabled={!hasRecords || undefined} onClick={() => void add()}>
            この帳面をアカウントに加える
          </Button>
        )}
        <Button size="sm" variant="danger" disabled={total === 0} onClick={() => setClearing(true)}>
          アカウントの記録を消す
        </Button>
      </div>
      {result !== null && (
        <Notice tone={result.tone} onClose={() => setResult(null)}>
          {result.text}
        </Notice>
      )}
      <Dialog
        open={clearing}
        onClose={() => setClearing(false)}
        title="アカウントの記録を消す"
        footer={
          <>
            <Button data-autofocus onClick={() => setClearing(false)}>
              キャンセル
            </Button>
            <Button variant="danger" busy={busy} onClick={() => void clear()}>
              記録を消す
            </Button>
          </>
        }
      >
        <p>
          サーバーにある帳面の記録を消します。元には戻せません。それぞれのブラウザにある帳面は残り、同期が続いていれば、これから読むスレッドはまた保存されます。
        </p>
      </Dialog>
    </section>
  )
}
