import type { Ban } from '@shinobi/contract/bans'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { useNow } from '../../lib/clock.tsx'
import { DateTime } from '../../lib/date-time.tsx'

export const BAN_KINDS = { user: 'アカウント', visitor: 'ブラウザ', network: '回線' } as const

/** Where a ban applies. */
export function BanScope({ ban: { scope, scopeId, scopeLabel } }: { ban: Ban }) {
  if (scope === 'site') return '板の全体'
  if (scope === 'category') return `カテゴリ: ${scopeLabel === null ? '（削除済み）' : categoryLabel(scopeLabel)}`
  return scopeId === null || scopeLabel === null ? (
    'スレッド（削除済み）'
  ) : (
    <Link to={paths.thread(scopeId)}>{scopeLabel}</Link>
  )
}

/** When it ends, or ended. */
export function BanEnd({ ban: { liftedAt, expiresAt } }: { ban: Ban }) {
  const now = useNow()
  if (liftedAt !== null)
    return (
      <>
        <DateTime value={liftedAt} />
        に解除
      </>
    )
  if (expiresAt === null) return '解除するまで'
  return (
    <>
      <DateTime value={expiresAt} />
      {new Date(expiresAt) <= now && '（終了）'}
    </>
  )
}
