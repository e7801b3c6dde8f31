import { PUSH_PER_HOUR_MAX } from '@shinobi/contract/watching-limits'
import { messages } from '@shinobi/contract/messages'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import styles from './alert-list.module.css'
import type { PushWishes } from './alerts.ts'
import { findKey, sendTest, turnOff, turnOn, type PushObstacle } from './push.ts'
import { changeWatching, useWatching } from './store.ts'

/** 閉じていても知らせる: notices by the browser's push service, and what they may say and when. */
export function PushSettings() {
  const { push } = useWatching()
  const found = useQuery({ queryKey: ['push'], queryFn: findKey, staleTime: 0, retry: false })
  const change = useMutation({
    async mutationFn(key: string | null) {
      if (key === null) await turnOff()
      // Asking again tells that the visitor has refused.
      else if (!(await turnOn(key))) await found.refetch()
    },
  })
  const { data } = found
  const key = data !== undefined && 'key' in data ? data.key : null
  const obstacle = data !== undefined && 'obstacle' in data ? data.obstacle : null
  return (
    <section className={styles['settings']} aria-labelledby="push-settings">
      <h2 id="push-settings" className={styles['heading']}>
        閉じていても知らせる
      </h2>
      <p className={styles['words']}>
        忍板を開いていないときも、端末の通知で知らせます。会員でなくても使えます。オンの間は、見張っているスレッドと言葉、自分の書き込みの番号をサーバーに登録します。名前・会員・Cookieとは結びつけず、オフにするとすべて消えます。
      </p>
      {found.isError && <Notice tone="error">{messageOf(found.error)}</Notice>}
      {obstacle !== null && <Obstacle obstacle={obstacle} />}
      {(key !== null || push !== null) && (
        <div aria-busy={change.isPending}>
          <Switch
            checked={push !== null}
            onChange={(isOn) => {
              if (!change.isPending) change.mutate(isOn ? key : null)
            }}
          >
            閉じていても知らせる
          </Switch>
        </div>
      )}
      {change.isError && <Notice tone="error">{messageOf(change.error)}</Notice>}
      {push !== null && <Wishes push={push} />}
    </section>
  )
}

/** A browser that has lost its push service gives errors of its own, in English. */
const messageOf = (error: Error): string => (error instanceof ApiError ? error.message : messages.push_failed)

function Obstacle({ obstacle }: { obstacle: PushObstacle }) {
  switch (obstacle) {
    case 'off':
      return <Notice tone="info">{messages.push_off}</Notice>
    case 'unsupported':
      return (
        <Notice tone="info">
          このブラウザは、閉じている間の通知に対応していません。開いている間は、この一覧と見出しの数字で知らせます。
        </Notice>
      )
    case 'denied':
      return (
        <Notice tone="info">
          このサイトの通知が、ブラウザの設定で止められています。アドレスの横の印から通知を許可し、この画面を開き直してください。
        </Notice>
      )
    case 'home_screen':
      return (
        <Notice tone="info">
          <p>iPhoneとiPadでは、ホーム画面に追加した忍板だけが通知を受け取れます（iOS 16.4から）。</p>
          <ol className={styles['steps']}>
            <li>Safariの共有ボタン（四角から上に出る矢印）を押します。</li>
            <li>「ホーム画面に追加」を選びます。</li>
            <li>ホーム画面の忍板を開き、帳面の矢文で、この設定をオンにします。</li>
          </ol>
          <p>ホーム画面の忍板の帳面は、Safariとは別です。帳面の「書き出す」と「読み込む」で移せます。</p>
        </Notice>
      )
  }
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${hour}時` }))
const PER_HOUR = [1, 3, 6, 10, PUSH_PER_HOUR_MAX].map((value) => ({ value, label: `${value}件まで` }))
const NIGHT = { from: 23, until: 7 }

function Wishes({ push }: { push: PushWishes }) {
  const test = useMutation({ mutationFn: sendTest })
  const set = (more: Partial<PushWishes>) =>
    changeWatching((before) => (before.push === null ? before : { ...before, push: { ...before.push, ...more } }))
  const choice = (name: 'answers' | 'posts' | 'words' | 'titles', label: ReactNode) => (
    <Switch checked={push[name]} onChange={(isOn) => set({ [name]: isOn })}>
      {label}
    </Switch>
  )
  const { quiet } = push
  return (
    <div className={styles['wishes']}>
      <div className={styles['switches']} role="group" aria-label="知らせるもの">
        {choice('answers', '自分の書き込みへの返信')}
        {choice('posts', '見張っているスレッドの書き込み')}
        {choice('words', '見張っている言葉のスレッド')}
      </div>
      <div className={styles['switches']}>
        {choice('titles', '通知にスレッドのタイトルを出す')}
        <p className={styles['words']}>
          書き込みの文は出しません。タイトルも出さなければ、画面をのぞかれても何の話かは分かりません。
        </p>
      </div>
      <div className={styles['switches']}>
        <Switch checked={quiet !== null} onChange={(isOn) => set({ quiet: isOn ? NIGHT : null })}>
          知らせない時間を決める
        </Switch>
        {quiet !== null && (
          <div className={styles['hours']}>
            <SelectField
              label="始まり"
              options={HOURS}
              value={quiet.from}
              onChange={(from) => set({ quiet: { ...quiet, from } })}
            />
            <SelectField
              label="終わり"
              options={HOURS}
              value={quiet.until}
              onChange={(until) => set({ quiet: { ...quiet, until } })}
            />
          </div>
        )}
      </div>
      <div className={styles['most']}>
        <SelectField
          label="1時間の通知"
          hint="同じスレッドの通知は、まとめて1件になります。"
          options={PER_HOUR}
          value={push.perHour}
          onChange={(perHour) => set({ perHour })}
        />
      </div>
      <div className={styles['trial']}>
        <Button size="sm" onClick={() => test.mutate(push)} disabled={test.isPending}>
          試しに送る
        </Button>
        {test.isSuccess && (
          <Notice tone="success">送りました。届かないときは、端末の設定でこのブラウザの通知を確かめてください。</Notice>
        )}
        {test.isError && <Notice tone="error">{messageOf(test.error)}</Notice>}
      </div>
    </div>
  )
}
