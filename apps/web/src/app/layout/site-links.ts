import { paths } from '../paths.ts'

/**
 * The links of the header, the drawer and the footer, in the order that visitors know. The rendered page is the same for everybody and holds
 * all of them; `audience` is the class of ui/base.css that shows some to members or to guests only.
 */
export const siteLinks: readonly { to: string; label: string; audience?: 'for-members' | 'for-guests' }[] = [
  { to: paths.create(), label: '作成' },
  { to: paths.categories, label: 'カテゴリ' },
  { to: paths.ranking, label: '一覧' },
  { to: paths.about, label: '案内' },
  { to: paths.profile, label: 'プロフィール', audience: 'for-members' },
  { to: paths.login(), label: 'ログイン', audience: 'for-guests' },
  { to: paths.register(), label: '登録', audience: 'for-guests' },
]

/** The footer's list of links, which the menu button leads to where no script runs. */
export const SITE_NAV_ID = 'site-nav'
