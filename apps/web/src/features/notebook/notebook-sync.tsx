import { inFigures } from '@shinobi/contract/in-figures'
import { AccountSync } from './account-sync.tsx'
import type * as sync from './sync.ts'

type Sync = typeof sync

async function count(code: Sync, context: { signal?: AbortSignal }) {
  const [threads, rules] = await Promise.all([code.countStored(context), code.countHiding(context)])
  const also = rules === 0 ? '' : `と、${inFigures(rules)}件のNG設定`
  const text = `アカウントには${inFigures(threads)}件のスレッドの記録${also}があります。本人のほかには見えません。`
  return { total: threads + rules, text }
}

/** What is stored of the notebook with the account, and the choice whether anything is. */
export function NotebookSync({ memberId, hasRecords }: { memberId: string; hasRecords: boolean }) {
  return (
    <AccountSync
      memberId={memberId}
      kind="notebook"
      words={{
        on: 'ログイン中に読んだところ、お気に入り、履歴、自分のスレと書き込み、NG設定は、このブラウザとアカウントの両方に保存され、同じアカウントのほかの端末と合わさります。ログイン前の記録や、ほかの会員が残した記録は送りません。',
        off: 'このブラウザで読んだスレッドとNG設定は、アカウントに保存しません。ほかの端末の記録も受け取りません。',
      }}
      count={count}
      addLabel="この帳面をアカウントに加える"
      canAdd={hasRecords}
      add={async (code) => {
        await code.addToAccount(memberId)
        return 'この帳面をアカウントに加えました。'
      }}
      clearLabel="アカウントの記録を消す"
      clearWarning="サーバーにある帳面の記録とNG設定を消します。元には戻せません。それぞれのブラウザにある帳面とNG設定は残り、同期が続いていれば、これから読むスレッドや加える設定はまた保存されます。"
      clearButton="記録を消す"
      clear={async (code) => {
        await code.clearAccount(memberId)
        return 'アカウントの記録を消しました。'
      }}
    />
  )
}
