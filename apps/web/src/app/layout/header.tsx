import { useEffect, useState, type ComponentType } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { inTime } from '../../lib/in-time.ts'
import { runsBoard } from '../../lib/runs-board.ts'
import { useScripted } from '../../lib/use-scripted.ts'
import { useMember } from '../../lib/use-session.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { MenuIcon, PlusIcon } from '../../ui/icons.tsx'
import { Wordmark } from '../../ui/motifs/logo.tsx'
import { paths } from '../paths.ts'
import type { DrawerProps } from './drawer.tsx'
import styles from './header.module.css'
import { SITE_NAV_ID, siteLinks } from './site-links.ts'

/** The night over the page: logo, links, on small screens a menu. Its foot is the ridge on which the page stands. */
export function Header() {
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
                </NavLink>
              </li>
            ))}
            <AdminLink />
          </ul>
        </nav>
        <Link to={paths.create()} className={styles['create']} aria-label="スレッドを作成">
          <PlusIcon size={22} />
        </Link>
        <Menu />
      </div>
    </header>
  )
}

/** For those who run the board; nobody else has to know that there is such a thing. */
function AdminLink() {
  const member = useMember()
  if (member === null || !runsBoard(member)) return null
  return (
    <li>
      <NavLink to={paths.admin()} className={cx(styles['link'])}>
        管理
      </NavLink>
    </li>
  )
}

/** Before anybody presses, but not while the page itself is still being loaded. */
const LOAD_DRAWER_AFTER_MS = 2_000

/** Before the script runs the menu button is a link to the same links in the footer; afterwards it opens the drawer. */
function Menu() {
  const scripted = useScripted()
  const { key } = useLocation()
  // The drawer belongs to the page it was opened on: going anywhere closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const [Drawer, setDrawer] = useState<ComponentType<DrawerProps> | null>(null)
  const open = openedAt === key

  const load = async () => {
    const drawer = await inTime(() => import('./drawer.tsx'))
    setDrawer(() => drawer.Drawer)
  }
  useEffect(() => {
    const timer = setTimeout(() => load().catch(() => {}), LOAD_DRAWER_AFTER_MS)
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
          // No drawer to be had: the same links stand in the footer.
          load().catch(() => document.getElementById(SITE_NAV_ID)?.focus())
        }}
      >
        <MenuIcon size={24} />
      </IconButton>
      {Drawer && <Drawer open={open} onClose={() => setOpenedAt(null)} />}
    </>
  )
}
