import type { Session } from '@shinobi/contract/accounts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DateTime } from '../../lib/date-time.tsx'
import { Button } from '../../ui/button.tsx'
import { DeviceIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Seal } from '../../ui/seal.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { endOtherSessions, endSession, sessionsQuery } from './api.ts'
import { ProfileSection } from './profile-section.tsx'
import styles from './session-list.module.css'
import { useRequest, wordsOf } from '../../lib/use-request.ts'

/** The member's sessions, with a button to end each. */
export function SessionList({ userId }: { userId: string }) {
  const { data, error, refetch } = useQuery(sessionsQuery(userId))
  const queryClient = useQueryClient()
  const { busy, problem, send } = useRequest()
  const [ending, setEnding] = useState<string | null>(null)

  const end = (which: string, work: () => Promise<unknown>) => {
    setEnding(which)
    void send(async () => {
      try {
        await work()
      } finally {
        // After any failure the list is fetched again: the session may have ended by itself.
        await queryClient.invalidateQueries({ queryKey: sessionsQuery(userId).queryKey })
      }
    })
  }

  const others = data?.filter(({ current }) => !current) ?? []
  return (
    <ProfileSection id="sessions" title="ログイン中の端末">
      {error !== null && data === undefined && (
        <div className={styles['failed']}>
          <Notice tone="error">{wordsOf(error)}</Notice>
          <Button size="sm" onClick={() => void refetch()}>
            もう一度試す
          </Button>
        </div>
      )}
      {data === undefined && error === null && <Spinner label="端末を調べています" />}
      {data !== undefined && (
        <ul className={styles['list']}>
          {data.map((session) => (
            <li key={session._id} className={styles['session']}>
              <DeviceIcon size={22} />
              <Device session={session} />
              {!session.current && (
                <Button
                  size="sm"
                  busy={busy && ending === session._id}
                  disabled={busy && ending !== session._id}
                  aria-label={`${session.device}のセッションを終了する`}
                  onClick={() => end(session._id, () => endSession(session._id))}
                >
                  終了する
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {problem !== null && <Notice tone="error">{problem}</Notice>}
      {others.length > 1 && (
        <div>
          <Button
            size="sm"
            busy={busy && ending === 'others'}
            disabled={busy && ending !== 'others'}
            onClick={() => end('others', endOtherSessions)}
          >
            ほかの端末をすべて終了する
          </Button>
        </div>
      )}
    </ProfileSection>
  )
}

const Device = ({ session: { device, current, lastUsedAt } }: { session: Session }) => (
  <div className={styles['words']}>
    <span className={styles['device']}>
      {device}
      {current && <Seal tone="teal">この端末</Seal>}
    </span>
    <span className="meta">
      最後の利用: <DateTime value={lastUsedAt} />
    </span>
  </div>
)
