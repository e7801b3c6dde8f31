import { paths } from '../paths.ts'

/**
 * The links of the header, the drawer and the footer, in their established order. The rendered page
 * is the same for everybody and contains all of them; `audience` is the class of ui/base.css that
 * shows some to members or guests only.
 */
export const siteLinks: readonly { to: string; label: string; audience?: 'for-members' | 'for-guests' }[] = [
  { to: paths.create(), label: '作成' },
  { to: paths.categories, label: 'カテゴリ' },
  { to: paths.ranking, label: '一覧' },
  { to: paths.notebook(), label: '帳面' },
  { to: paths.about, label: '案内' },
  { to: paths.profile, label: 'プロフィール', audience: 'for-members' },
  { to: paths.login(), label: 'ログイン', audience: 'for-guests' },
  { to: paths.register(), label: '登録', audience: 'for-guests' },
]

/** Id of the footer's list of links, the target of the menu button without a script. */
export const SITE_NAV_ID = 'site-nav'
