import { isStaff } from '@shinobi/contract/standing'
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { inTime, loadChunk } from '../../lib/load-chunk.ts'
import { useScripted } from '../../lib/use-scripted.ts'
import { useMember } from '../../features/accounts/use-session.ts'
import { DisplayIconButton } from '../../features/display/display-button.tsx'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { MenuIcon, NotebookIcon, PlusIcon } from '../../ui/icons.tsx'
import { Wordmark } from '../../ui/motifs/logo.tsx'
import { paths } from '../paths.ts'
import type { DrawerProps } from './drawer.tsx'
import styles from './header.module.css'
import { SITE_NAV_ID, siteLinks } from './site-links.ts'

/**
 * The night sky above the page: logo, links, and a menu on small screens. The page starts at the
 * ridge at its bottom.
 */
export function Header() {
  const unread = useNotebookCount()
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
                  {to === paths.notebook() && unread}
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
          {unread}
        </Link>
        <DisplayIconButton className={styles['display']} />
        <Menu />
      </div>
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

/** The number of unread posts in the notebook; null until its part of the script is loaded. */
function useNotebookCount(): ReactNode {
  const [count, setCount] = useState<ReactNode>(null)
  useEffect(() => {
    const timer = setTimeout(() => {
      import('../../features/notebook/header-count.tsx').then(
        ({ HeaderCount }) => setCount(<HeaderCount />),
        // The link works without the number.
        () => {},
      )
    }, LOAD_LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return count
}

const importDrawer = () => import('./drawer.tsx')

/**
 * Before hydration the menu button is a link to the same links in the footer; afterwards it opens
 * the drawer.
 */
function Menu() {
  const scripted = useScripted()
  const { key } = useLocation()
  // The drawer belongs to the history entry it was opened on: any navigation closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const [Drawer, setDrawer] = useState<ComponentType<DrawerProps> | null>(null)
  const open = openedAt === key

  useEffect(() => {
    const prepare = () =>
      inTime(importDrawer).then(
        (drawer) => setDrawer(() => drawer.Drawer),
        () => {},
      )
    const timer = setTimeout(prepare, LOAD_LATE_MS)
    return () => clearTimeout(timer)
  }, [])

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
          loadChunk(importDrawer).then(
            (drawer) => setDrawer(() => drawer.Drawer),
            // The same links are in the footer.
            () => document.getElementById(SITE_NAV_ID)?.focus(),
          )
        }}
      >
        <MenuIcon size={24} />
      </IconButton>
      {Drawer && <Drawer open={open} onClose={() => setOpenedAt(null)} />}
    </>
  )
}
