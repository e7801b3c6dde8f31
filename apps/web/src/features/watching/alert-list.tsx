import { Link } from 'react-router'
import { inFigures } from '@shinobi/contract/in-figures'
import { paths } from '../../app/paths.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { readRecords } from '../reading/store.ts'
import { markAllRead, unreadAlerts, type Alert } from './alerts.ts'
import styles from './alert-list.module.css'
import { PushSettings } from './push-settings.tsx'
import { changeWatching } from './store.ts'
import { useAlerts, useLooking } from './use-alerts.ts'
import { WatchSettings } from './watch-settings.tsx'

/** 矢文: all alerts, the newest first, and what is watched. */
export function AlertList() {
  useLooking(true)
  const alerts = useAlerts()
  if (alerts === null) {
    return (
      <div className={styles['waiting']}>
        <Spinner label="矢文を開いています" />
      </div>
    )
  }
  const unread = unreadAlerts(alerts)
  const readAll = async () => {
    const records = await readRecords()
    changeWatching((before) => markAllRead(before, records))
  }
  return (
    <>
      <div className={styles['bar']}>
        <p className="meta" role="status">
          {alerts.length > 0 && (unread > 0 ? `未読${inFigures(unread)}件` : 'すべて読みました。')}
        </p>
        {unread > 0 && (
          <Button size="sm" onClick={() => void readAll()}>
            すべて既読にする
          </Button>
        )}
      </div>
      {alerts.length === 0 ? (
        <EmptyState title="まだ矢文はありません。">
          <p>あなたの書き込みへの返信と、見張っているスレッドや言葉の新着が、ここに届きます。</p>
        </EmptyState>
      ) : (
        <ul className={styles['list']} aria-label="矢文">
          {alerts.map((alert) => (
            <AlertRow
              key={`${alert.kind} ${alert.threadId} ${alert.kind === 'answer' ? alert.number : ''}`}
              alert={alert}
            />
          ))}
        </ul>
      )}
      <WatchSettings />
      <PushSettings />
    </>
  )
}

const read = (alert: Alert) => {
  if (alert.kind === 'posts') return
  changeWatching((before) => ({
    ...before,
    alerts: before.alerts.map((other) => {
      const isSame =
        other.threadId === alert.threadId &&
        (other.kind === 'answer' ? alert.kind === 'answer' && other.number === alert.number : alert.kind === 'keyword')
      return isSame ? { ...other, isRead: true } : other
    }),
  }))
}

function AlertRow({ alert }: { alert: Alert }) {
  const { threadId, title, at, isRead } = alert
  const to = alert.kind === 'keyword' ? paths.thread(threadId) : paths.post(threadId, alert.number)
  return (
    <li className={styles['row']} data-read={isRead}>
      <p className={styles['what']}>
        <Link to={to} className={styles['link']} onClick={() => read(alert)}>
          {!isRead && <span className="visually-hidden">未読 </span>}
          {wordsFor(alert)}
        </Link>
      </p>
      <p className={`meta ${styles['meta']}`}>
        <span className={styles['thread']}>{title || '（タイトルなし）'}</span>
        <DateTime value={new Date(at).toISOString()} />
      </p>
    </li>
  )
}

function wordsFor(alert: Alert): string {
  switch (alert.kind) {
    case 'answer':
      return `>>${alert.answered} に返信がありました（${alert.number}）`
    case 'posts':
      return `新しい書き込みが${inFigures(alert.count)}件あります`
    case 'keyword':
      return `「${alert.keyword}」のスレッドが立ちました`
  }
}
