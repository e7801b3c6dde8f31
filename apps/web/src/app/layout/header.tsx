import { useState, useSyncExternalStore } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { MenuIcon, PlusIcon } from '../../ui/icons.tsx'
import { Wordmark } from '../../ui/motifs/logo.tsx'
import { paths } from '../paths.ts'
import styles from './header.module.css'
import { SITE_NAV_ID, siteLinks } from './site-links.ts'

const never = () => () => {}

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
            {siteLinks.map(({ to, label }) => (
              <li key={to}>
                <NavLink to={to} end className={cx(styles['link'])}>
                  {label}
                </NavLink>
              </li>
            ))}
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

/** Before the script runs the menu button is a link to the same links in the footer; afterwards it opens the drawer. */
function Menu() {
  const scripted = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const { key } = useLocation()
  // The drawer belongs to the page it was opened on: going anywhere closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const open = openedAt === key
  const close = () => setOpenedAt(null)

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
        onClick={() => setOpenedAt(key)}
      >
        <MenuIcon size={24} />
      </IconButton>
      <Dialog open={open} onClose={close} title="メニュー" side="right">
        <nav aria-label="メニュー">
          <ul className={styles['drawer']}>
            {siteLinks.map(({ to, label, note, icon: Icon }) => (
              <li key={to}>
                <NavLink to={to} end onClick={close} className={cx(styles['entry'])}>
                  <Icon size={22} />
                  <span>
                    {label}
                    <span className={styles['note']}>{note}</span>
                  </span>
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      </Dialog>
    </>
  )
}
