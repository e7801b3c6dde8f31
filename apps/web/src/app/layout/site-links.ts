import { BookIcon, GridIcon, ListIcon, PlusIcon } from '../../ui/icons.tsx'
import { paths } from '../paths.ts'

/** The links of the header, the drawer and the footer, in the order of SPEC §2. */
export const siteLinks = [
  { to: paths.create(), label: '作成', note: '新しいスレッドを立てる', icon: PlusIcon },
  { to: paths.categories, label: 'カテゴリ', note: '話題から探す', icon: GridIcon },
  { to: paths.ranking, label: '一覧', note: 'すべてのスレッド', icon: ListIcon },
  { to: paths.about, label: '案内', note: 'この板について', icon: BookIcon },
]

/** The footer's list of links, which the menu button leads to where no script runs. */
export const SITE_NAV_ID = 'site-nav'
