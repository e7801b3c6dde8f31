import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'react-router'
import { useSession } from '../features/accounts/use-session.ts'
import { hasUnsent, subscribeMark } from '../features/posts/unsent/unsent-mark.ts'
import { deferred } from '../lib/deferred.tsx'
import { nextTask } from '../lib/next-task.ts'
import { ErrorScreen, PendingScreen } from './deferred-screens.tsx'
import { followVersion } from './new-version.ts'
import { paths } from './paths.ts'

export { HeaderMarks } from '../features/watching/header-marks.tsx'

/** Reports that the session has ended. */
const SessionNotice = deferred(async () => (await import('./layout/session-notice.tsx')).SessionNotice)
const UnsentNotices = deferred(async () => (await import('../features/posts/unsent/unsent-notices.tsx')).UnsentNotices)

const importPrefetch = () => nextTask().then(() => import('./prefetch-threads.ts'))

/** What every page does and says once it has settled. */
export function Late() {
  useEffect(() => {
    // Loaded while there is a network, because they are needed when there is none.
    void PendingScreen.preload()
    void ErrorScreen.preload()
    // A press on the menu tries again.
    nextTask()
      .then(() => import('./layout/drawer.tsx'))
      .catch(() => {})
  }, [])
  useEffect(followVersion, [])
  const { key, pathname } = useLocation()
  const client = useQueryClient()
  useEffect(() => {
    let stop: (() => void) | undefined
    let isLeft = false
    void importPrefetch().then(
      ({ prefetchPressed }) => {
        if (!isLeft) stop = prefetchPressed(client)
      },
      () => {},
    )
    return () => {
      isLeft = true
      stop?.()
    }
  }, [client])
  useEffect(() => {
    void importPrefetch().then(
      ({ prefetchTop }) => prefetchTop(client),
      () => {},
    )
  }, [client, key])
  const session = useSession()
  const reason = session.status === 'out' && session.isSudden ? session.reason : null
  /** Since something waited once: the last words are about its end. */
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    const look = () => setWaiting((before) => before || hasUnsent())
    look()
    return subscribeMark(look)
  }, [])
  return createPortal(
    <>
      {reason !== null && pathname !== paths.login() && <SessionNotice text={reason} />}
      {isWaiting && <UnsentNotices />}
    </>,
    document.body,
  )
}
