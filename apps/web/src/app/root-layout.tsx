import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, ViewTransition } from 'react'
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation, type Location } from 'react-router'
import { categoryQuery } from '../features/categories/api.ts'
import { Notices } from '../features/notices/notices.tsx'
import { useNow } from '../lib/clock.tsx'
import { tokyoYear } from '../lib/format-date.ts'
import { deferred } from '../lib/deferred.tsx'
import { PendingScreen } from './deferred-screens.tsx'
import { PageShell } from './layout/page-shell.tsx'
import './root-layout.css'

/** The first entry of every tab has the key "default": the address tells them apart. */
const scrollKey = ({ key, pathname, search }: Location) => `${key}:${pathname}${search}`

/** All of /admin is one page: its frame stays while its screens change. */
const pageOf = (pathname: string) => (/^\/admin(?=\/|$)/.exec(pathname) ?? [pathname])[0]

/** Loaded when the visitor first presses a key: phones do without. */
const ReadingKeys = deferred(async () => (await import('../features/display/reading-keys.tsx')).ReadingKeys)

/** The layout around every page, and the screen shown during a navigation. */
export function RootLayout() {
  const { pathname } = useLocation()
  const awaiting = useNavigation().state === 'loading'
  const category = useCategoryOfPage()
  useFocusOnArrival(pathname)
  const firstKey = useFirstKey()
  return (
    <>
      <ScrollRestoration getKey={scrollKey} />
      <PageShell year={tokyoYear(useNow())} notices={<Notices />} {...(category === undefined ? {} : { category })}>
        <ViewTransition key={pageOf(pathname)} default="none" enter="page" exit="page">
          <Outlet />
        </ViewTransition>
      </PageShell>
      {awaiting && <PendingScreen />}
      {firstKey !== null && <ReadingKeys first={firstKey} />}
    </>
  )
}

/** The first press of a key on this page; null before. */
function useFirstKey(): KeyboardEvent | null {
  const [press, setPress] = useState<KeyboardEvent | null>(null)
  useEffect(() => {
    addEventListener('keydown', setPress, { once: true })
    return () => removeEventListener('keydown', setPress)
  }, [])
  return press
}

/** Name of the category whose list is shown; the loader has put it into the cache. */
function useCategoryOfPage(): string | undefined {
  const ref = useMatches().at(-1)?.params['categoryId']
  const { data } = useQuery({ ...categoryQuery(ref ?? ''), enabled: false })
  return ref === undefined || data === undefined ? undefined : data.name
}

/**
 * Moves focus to the start of the page after a navigation, as after a page load, for keyboards and
 * screen readers.
 */
function useFocusOnArrival(pathname: string): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
}
