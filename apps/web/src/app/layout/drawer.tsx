import { isStaff } from '@shinobi/contract/permissions'
import { NavLink } from 'react-router'
import { useMember } from '../../features/accounts/use-session.ts'
import { openDisplay } from '../../features/display/open-display.ts'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import {
  BookIcon,
  GridIcon,
  EyeIcon,
  KeyIcon,
  ListIcon,
  NotebookIcon,
  PlusIcon,
  ScrollIcon,
  SlidersIcon,
  UserIcon,
} from '../../ui/icons.tsx'
import { paths } from '../paths.ts'
import styles from './drawer.module.css'
import { siteLinks } from './site-links.ts'

const details = {
  [paths.create()]: { note: '新しいスレッドを立てる', icon: PlusIcon },
  [paths.categories]: { note: '話題から探す', icon: GridIcon },
  [paths.ranking]: { note: 'すべてのスレッド', icon: ListIcon },
  [paths.notebook()]: { note: 'お気に入りと履歴、続きから読む', icon: NotebookIcon },
  [paths.about]: { note: 'この板について', icon: BookIcon },
  [paths.profile]: { note: '名前と画像、アカウント', icon: UserIcon },
  [paths.login()]: { note: '自分の名前で書き込む', icon: KeyIcon },
  [paths.admin()]: { note: '通報と一覧、板の設定', icon: EyeIcon },
  [paths.register()]: { note: '無料・自分の名前を持つ', icon: ScrollIcon },
}

export interface DrawerProps {
  open: boolean
  onClose: () => void
}

/** The site's links on small screens, in a separate chunk. */
export function Drawer({ open, onClose }: DrawerProps) {
  const member = useMember()
  // Only staff see the link to the administration.
  const links = member !== null && isStaff(member) ? [...siteLinks, { to: paths.admin(), label: '管理' }] : siteLinks
  return (
    <Dialog open={open} onClose={onClose} title="メニュー" side="right">
      <nav aria-label="メニュー">
        <ul className={styles['list']}>
          {links.map(({ to, label, audience }: (typeof siteLinks)[number]) => {
            const { note, icon: Icon } = details[to]!
            return (
              <li key={to} className={audience}>
                <NavLink to={to} end onClick={onClose} className={cx(styles['entry'])}>
                  <Icon size={22} />
                  <span>
                    {label}
                    <span className={styles['note']}>{note}</span>
                  </span>
                </NavLink>
              </li>
            )
          })}
          <li>
            <button
              type="button"
              className={styles['entry']}
              onClick={() => {
                onClose()
                void openDisplay()
              }}
            >
              <SlidersIcon size={22} />
              <span>
                表示
                <span className={styles['note']}>文字の大きさ、夜と紙、画像</span>
              </span>
            </button>
          </li>
        </ul>
      </nav>
    </Dialog>
  )
}
