import { messages } from '@shinobi/contract/messages'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, ViewTransition } from 'react'
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation, type Location } from 'react-router'
import { categoryQuery } from '../features/categories/api.ts'
import { Notices } from '../features/notices/notices.tsx'
import { useNow } from '../lib/clock.tsx'
import { tokyoYear } from '../lib/format-date.ts'
import { useSession } from '../lib/use-session.ts'
import { ErrorScreen, PendingScreen, SessionNotice } from './deferred-screens.tsx'
import { PageShell } from './layout/page-shell.tsx'
import { paths } from './paths.ts'
import './root-layout.css'

/** Every tab's first entry has the key "default": the address keeps them apart. */
const scrollKey = ({ key, pathname, search }: Location) => `${key}:${pathname}${search}`

/** All of /admin is one page: its frame stays while the screens in it change. */
const pageOf = (pathname: string) => (/^\/admin(?=\/|$)/.exec(pathname) ?? [pathname])[0]

/** Not while the page itself is still being loaded. */
const PRELOAD_AFTER_MS = 3_000

/** What stands around every page, and the screen shown while the next one is awaited. */
export function RootLayout() {
  const { pathname } = useLocation()
  const awaiting = useNavigation().state === 'loading'
  const category = useCategoryOfPage()
  const session = useSession()
  const isOver = session.status === 'out' && session.reason === messages.verify_failed
  useFocusOnArrival(pathname)
  useEffect(() => {
    // While there is a line: they are needed when there is none.
    setTimeout(() => {
      void PendingScreen.preload()
      void ErrorScreen.preload()
    }, PRELOAD_AFTER_MS)
  }, [])
  return (
    <>
      <ScrollRestoration getKey={scrollKey} />
      <PageShell year={tokyoYear(useNow())} notices={<Notices />} {...(category === undefined ? {} : { category })}>
        <ViewTransition key={pageOf(pathname)} default="none" enter="page" exit="page">
          <Outlet />
        </ViewTransition>
      </PageShell>
      {awaiting && <PendingScreen />}
      {isOver && pathname !== paths.login() && <SessionNotice />}
    </>
  )
}

/** Name of the category whose list is shown; the loader has put it into the cache. */
function useCategoryOfPage(): string | undefined {
  const ref = useMatches().at(-1)?.params['categoryId']
  const { data } = useQuery({ ...categoryQuery(ref ?? ''), enabled: false })
  return ref === undefined || data === undefined ? undefined : data.name
}

/** After a navigation the keyboard and the screen reader go on at the new page's start, as after a page load. */
function useFocusOnArrival(pathname: string): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
}
