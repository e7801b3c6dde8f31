import { LEVEL_PHRASE_HOURS } from '@shinobi/contract/limits'
import type { Scroll } from '@shinobi/contract/scroll'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DateTime } from '../../lib/date-time.tsx'
import { Button } from '../../ui/button.tsx'
import { LineField } from '../../ui/line-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { claimPhrase, joinScrolls, makePhrase, revokePhrase, scrollQuery } from '../../features/levels/api.ts'
import styles from './scroll-page.module.css'

interface MovingProps {
  scroll: Scroll
  userId: string | null
}

/** How the level moves: by a phrase to another browser, or from this browser into the account. */
export function Moving({ scroll, userId }: MovingProps) {
  return (
    <section aria-labelledby="scroll-moving" className={styles['part']}>
      <h2 id="scroll-moving">レベルを移す</h2>
      <p>
        レベルは足し算されません。高いほうの日数が残り、削除された分は両方とも残ります。移した元のブラウザは、最初からになります。
      </p>
      {scroll.of === 'browser' ? <Outgoing scroll={scroll} /> : <Joining scroll={scroll} userId={userId} />}
      <Incoming userId={userId} />
    </section>
  )
}

function Outgoing({ scroll }: { scroll: Scroll }) {
  const client = useQueryClient()
  const reload = () => client.invalidateQueries({ queryKey: scrollQuery(null).queryKey })
  const make = useMutation({ mutationFn: makePhrase, onSuccess: reload })
  const revoke = useMutation({
    mutationFn: revokePhrase,
    onSuccess: () => {
      make.reset()
      return reload()
    },
  })
  const error = make.error ?? revoke.error
  if (scroll.level === 0) return null
  return (
    <div className={styles['way']}>
      <h3>ほかのブラウザへ移す</h3>
      <p>
        合言葉を作り、移したい先のブラウザのこの画面で入力します。合言葉は1回だけ、{LEVEL_PHRASE_HOURS}
        時間使えます。人に教えると、レベルを持っていかれます。
      </p>
      {make.data !== undefined && scroll.phraseEndsAt !== null && (
        <div className={styles['phrase']} role="status">
          <p className={styles['words']}>{make.data.phrase}</p>
          <p className="meta">この画面を離れると、もう表示できません。</p>
        </div>
      )}
      {scroll.phraseEndsAt !== null && (
        <p className="meta">
          合言葉は
          <DateTime value={scroll.phraseEndsAt} />
          まで使えます。
        </p>
      )}
      {error !== null && <Notice tone="error">{error.message}</Notice>}
      <div className={styles['buttons']}>
        <Button busy={make.isPending} onClick={() => make.mutate()}>
          {scroll.phraseEndsAt === null ? '合言葉を作る' : '合言葉を作り直す'}
        </Button>
        {scroll.phraseEndsAt !== null && (
          <Button variant="ghost" busy={revoke.isPending} onClick={() => revoke.mutate()}>
            合言葉を取り消す
          </Button>
        )}
      </div>
    </div>
  )
}

function Joining({ scroll: { levelOfBrowser }, userId }: MovingProps) {
  const client = useQueryClient()
  const join = useMutation({
    mutationFn: joinScrolls,
    onSuccess: (scroll) => client.setQueryData(scrollQuery(userId).queryKey, scroll),
  })
  if (levelOfBrowser === null) return null
  return (
    <div className={styles['way']}>
      <h3>このブラウザのレベルをアカウントへ移す</h3>
      <p>ログインする前にこのブラウザで上げたレベルを移すと、アカウントのレベルは{levelOfBrowser}になります。</p>
      {join.error !== null && <Notice tone="error">{join.error.message}</Notice>}
      <div className={styles['buttons']}>
        <Button busy={join.isPending} onClick={() => join.mutate()}>
          アカウントへ移す
        </Button>
      </div>
    </div>
  )
}

function Incoming({ userId }: { userId: string | null }) {
  const client = useQueryClient()
  const [phrase, setPhrase] = useState('')
  const claim = useMutation({
    mutationFn: claimPhrase,
    onSuccess: (scroll) => {
      setPhrase('')
      client.setQueryData(scrollQuery(userId).queryKey, scroll)
    },
  })
  return (
    <form
      className={styles['way']}
      onSubmit={(event) => {
        event.preventDefault()
        if (!claim.isPending) claim.mutate(phrase)
      }}
    >
      <h3>ほかのブラウザから移す</h3>
      <LineField
        label="合言葉"
        hint="6つの言葉です。空白やカタカナの違いは、気にしなくて構いません。"
        error={claim.error?.message}
        autoCapitalize="none"
        value={phrase}
        onChange={setPhrase}
      />
      {claim.isSuccess && <Notice tone="success">レベルを移しました。いまのレベルは{claim.data.level}です。</Notice>}
      <div className={styles['buttons']}>
        <Button type="submit" busy={claim.isPending}>
          ここへ移す
        </Button>
      </div>
    </form>
  )
}
