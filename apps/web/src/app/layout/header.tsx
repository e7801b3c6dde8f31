import { isStaff } from '@shinobi/contract/standing'
import { useEffect, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { loadChunk } from '../../lib/load-chunk.ts'
import { useScripted } from '../../lib/use-scripted.ts'
import { useMember } from '../../features/accounts/use-session.ts'
import { DisplayIconButton } from '../../features/display/display-button.tsx'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { MenuIcon, NotebookIcon, PlusIcon } from '../../ui/icons.tsx'
import { Wordmark } from '../../ui/motifs/logo.tsx'
import type * as LateParts from '../late.tsx'
import { paths } from '../paths.ts'
import type * as DrawerParts from './drawer.tsx'
import styles from './header.module.css'
import { SITE_NAV_ID, siteLinks } from './site-links.ts'

/**
 * The night sky above the page: logo, links, and a menu on small screens. The page starts at the
 * ridge at its bottom.
 */
export function Header() {
  const late = useLate()
  const marks = late && <late.HeaderMarks />
  return (
    <header className={styles['header']}>
      <span className={styles['moon']} aria-hidden="true" />
      <span className={styles['ridge']} aria-hidden="true" />
      <div className={`container ${styles['bar']}`}>
        <Link to={paths.home} className={styles['logo']} aria-label="忍板 トップへ">
          <Wordmark />
        </Link>
        <nav className={styles['links']} aria-label="メイン">
          <ul className={styles['list']}>
            {siteLinks.map(({ to, label, audience }) => (
              <li key={to} className={audience}>
                <NavLink to={to} end className={cx(styles['link'])}>
                  {label}
                  {to === paths.notebook() && marks}
                </NavLink>
              </li>
            ))}
            <AdminLink />
          </ul>
        </nav>
        <Link to={paths.create()} className={styles['create']} aria-label="スレッドを作成">
          <PlusIcon size={22} />
        </Link>
        <Link to={paths.notebook()} className={styles['notebook']}>
          <NotebookIcon size={22} />
          <span className="visually-hidden">帳面</span>
          {marks}
        </Link>
        <DisplayIconButton className={styles['display']} />
        <Menu />
      </div>
      {late && <late.Late />}
    </header>
  )
}

/** Shown to staff only. */
function AdminLink() {
  const member = useMember()
  if (member === null || !isStaff(member)) return null
  return (
    <li>
      <NavLink to={paths.admin()} className={cx(styles['link'])}>
        管理
      </NavLink>
    </li>
  )
}

/**
 * Early enough for the first press, and late enough not to compete with the loading of the page.
 */
const LOAD_LATE_MS = 2_000

// Apart, so that the build leaves the rejection to the caller.
const importLate = () => import('../late.tsx')

/** What every page does once it has settled; null until that part of the script is loaded. */
function useLate(): typeof LateParts | null {
  const [late, setLate] = useState<typeof LateParts | null>(null)
  useEffect(() => {
    // The page works without them.
    setTimeout(() => importLate().then(setLate, () => {}), LOAD_LATE_MS)
  }, [])
  return late
}

/**
 * Before hydration the menu button is a link to the same links in the footer; afterwards it opens
 * the drawer.
 */
function Menu() {
  const scripted = useScripted()
  const { key } = useLocation()
  // The drawer belongs to the history entry it was opened on: any navigation closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const [drawer, setDrawer] = useState<typeof DrawerParts | null>(null)
  const open = openedAt === key

  if (!scripted) {
    return (
      <a href={`#${SITE_NAV_ID}`} className={styles['menu']} aria-label="メニュー">
        <MenuIcon size={24} />
      </a>
    )
  }
  return (
    <>
      <IconButton
        label="メニュー"
        className={styles['menu']}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => {
          setOpenedAt(key)
          loadChunk(() => import('./drawer.tsx')).then(
            setDrawer,
            // The same links are in the footer.
            () => document.getElementById(SITE_NAV_ID)?.focus(),
          )
        }}
      >
        <MenuIcon size={24} />
      </IconButton>
      {drawer && <drawer.Drawer open={open} onClose={() => setOpenedAt(null)} />}
    </>
  )
}
