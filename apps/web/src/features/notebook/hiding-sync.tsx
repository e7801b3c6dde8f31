import { inFigures } from '@shinobi/contract/in-figures'
import { messages } from '@shinobi/contract/messages'
import { useMember } from '../accounts/use-session.ts'
import { AccountSync } from './account-sync.tsx'
import type * as sync from './sync.ts'

type Sync = typeof sync

async function count(code: Sync, context: { signal?: AbortSignal }) {
  const total = await code.countHiding(context)
  return { total, text: `アカウントには${inFigures(total)}件のNG設定があります。本人のほかには見えません。` }
}

const refusal = (code: Sync): string | null => code.hidingRefusal()?.message ?? null

/** What is stored of the rules of hiding with the account of the member who is logged in. */
export function HidingSync({ hasRules }: { hasRules: boolean }) {
  const member = useMember()
  if (member === null) return null
  const memberId = member._id
  return (
    <AccountSync
      memberId={memberId}
      kind="hiding"
      words={{
        on: 'ログイン中に加えたり外したりした設定は、このブラウザとアカウントの両方に保存され、同じアカウントのほかの端末にも届きます。ログイン前の設定や、ほかの会員が残した設定は送りません。',
        off: 'このブラウザのNG設定と帳面は、アカウントに保存しません。ほかの端末の設定も受け取りません。',
      }}
      count={count}
      addLabel="このNG設定をアカウントに加える"
      canAdd={hasRules}
      add={async (code) =>
        (await code.addRulesToAccount(memberId))
          ? 'このブラウザのNG設定をアカウントに加えました。'
          : messages.hiding_account_waits
      }
      clearLabel="アカウントのNG設定を消す"
      clearWarning="サーバーにあるNG設定を消します。元には戻せません。それぞれのブラウザにある設定は残り、同期が続いていれば、これから加える設定はまた保存されます。"
      clearButton="NG設定を消す"
      clear={async (code) => {
        await code.clearRulesOfAccount(memberId)
        return 'アカウントのNG設定を消しました。'
      }}
      refusal={refusal}
    />
  )
}
