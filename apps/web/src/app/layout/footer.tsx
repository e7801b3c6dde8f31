import { SOURCE_ARCHIVE } from '@shinobi/contract/site'
import { Link } from 'react-router'
import { Wordmark } from '../../ui/motifs/logo.tsx'
import { DisplayButton } from '../../features/display/display-button.tsx'
import { paths } from '../paths.ts'
import { useSite } from '../site-context.tsx'
import styles from './footer.module.css'
import { MotionSwitch } from './motion-switch.tsx'
import { SITE_NAV_ID, siteLinks } from './site-links.ts'

/** `year` comes from the clock of the rendered page, so that server and browser show the same. */
export function Footer({ year }: { year: number }) {
  const { sourceUrl, hostingBadge } = useSite()
  return (
    <footer className={styles['footer']}>
      <div className={`container ${styles['inner']}`}>
        <div className={styles['brand']}>
          <Wordmark />
          <p className={styles['motto']}>名を隠し、言葉で語る。</p>
        </div>
        <nav id={SITE_NAV_ID} className={styles['nav']} aria-label="フッター" tabIndex={-1}>
          <ul className={styles['list']}>
            <li>
              <Link to={paths.home}>トップ</Link>
            </li>
            {siteLinks.map(({ to, label, audience }) => (
              <li key={to} className={audience}>
                <Link to={to}>{label}</Link>
              </li>
            ))}
            <li>
              <Link to={paths.terms}>利用規約</Link>
            </li>
            <li>
              <Link to={paths.scroll}>忍法帖</Link>
            </li>
            <li>
              <Link to={paths.hiding}>NG設定</Link>
            </li>
            <li>
              <Link to={paths.moderationLog}>御触書（運営の記録）</Link>
            </li>
            <li>
              <a href={sourceUrl ?? SOURCE_ARCHIVE}>ソースコード</a>
            </li>
          </ul>
        </nav>
        <div className={styles['last']}>
          <small className={styles['copyright']}>© {year} 忍板</small>
          {hostingBadge && (
            <a className={styles['badge']} href={hostingBadge.url} rel="noopener sponsored">
              {hostingBadge.label}
            </a>
          )}
          <span className={styles['controls']}>
            <DisplayButton />
            <MotionSwitch />
          </span>
        </div>
      </div>
    </footer>
  )
}
