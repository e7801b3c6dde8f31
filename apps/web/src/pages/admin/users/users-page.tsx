import type { AdminUser, UserState } from '@shinobi/contract/admin'
import type { User } from '@shinobi/contract/accounts'
import type { Category } from '@shinobi/contract/categories'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { mayActOn, rankOf } from '@shinobi/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { categoriesQuery, useAdminId, useReload, usersQuery } from '../../../features/admin/api.ts'
import { FilterBar } from '../../../features/admin/filter-bar.tsx'
import { FoundList } from '../../../features/admin/found-list.tsx'
import { useResults } from '../../../features/admin/results.tsx'
import { Loaded, Screen } from '../../../features/admin/screen.tsx'
import { useFilters } from '../../../features/admin/use-filters.ts'
import { useLast } from '../../../features/admin/use-last.ts'
import { usePage } from '../../../features/admin/use-page.ts'
import { WriterDialog } from '../../../features/admin/writer-dialog.tsx'
import { BanDialog } from '../../../features/moderation/ban-dialog.tsx'
import { DateTime } from '../../../lib/date-time.tsx'
import { useMember } from '../../../features/accounts/use-session.ts'
import { Button } from '../../../ui/button.tsx'
import { Seal } from '../../../ui/seal.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { RoleDialog } from './role-dialog.tsx'

interface ColumnContext {
  onBan: (user: AdminUser) => void
  onChange: (user: AdminUser) => void
  onLookBack: (user: AdminUser) => void
  admin: User | null
  categories: readonly Category[]
}

const columnsOf = ({ onBan, onChange, onLookBack, admin, categories }: ColumnContext): Column<AdminUser>[] => [
  { label: '名前', kind: 'head', cell: ({ name }) => name },
  {
    label: 'メール',
    cell: ({ email, emailVerified }) =>
      email === null ? null : (
        <>
          {email} {!emailVerified && <Seal tone="gold">未確認</Seal>}
        </>
      ),
  },
  { label: '管理者', kind: 'short', cell: ({ isAdmin }) => (isAdmin ? 'はい' : 'いいえ') },
  { label: '権限', cell: (user) => <Role user={user} categories={categories} /> },
  { label: '二段階認証', kind: 'short', cell: ({ secondFactor }) => (secondFactor ? 'あり' : null) },
  { label: '状態', kind: 'short', cell: ({ banned }) => (banned ? <Seal>制限中</Seal> : null) },
  { label: '登録', kind: 'short', cell: ({ createdAt }) => <DateTime value={createdAt} /> },
  {
    label: '操作',
    kind: 'actions',
    cell: (user) => (
      <>
        <Button size="sm" aria-label={`${user.name}の履歴`} onClick={() => onLookBack(user)}>
          履歴
        </Button>
        {admin !== null && mayActOn(admin, rankOf(user)) && (
          <Button size="sm" aria-label={`${user.name}の書き込みを制限`} onClick={() => onBan(user)}>
            制限
          </Button>
        )}
        <Button size="sm" aria-label={`${user.name}の権限を変える`} onClick={() => onChange(user)}>
          権限
        </Button>
      </>
    ),
  },
]

export function UsersPage() {
  const adminId = useAdminId()
  const { page } = usePage()
  const { filters } = useFilters()
  const users = useQuery(usersQuery(adminId, page, filters))
  const categories = useQuery(categoriesQuery(adminId)).data ?? []
  const reload = useReload('users')
  const { say, region } = useResults(reload)
  const [changing, setChanging] = useState<AdminUser | null>(null)
  const [lookingBack, setLookingBack] = useState<AdminUser | null>(null)
  const [banning, setBanning] = useState<AdminUser | null>(null)
  const banned = useLast(banning)

  const columns = columnsOf({
    onBan: setBanning,
    onChange: setChanging,
    onLookBack: setLookingBack,
    admin: useMember(),
    categories,
  })
  return (
    <Screen title="会員">
      <FilterBar list="users" words="名前かメールアドレスの始まり" period="登録した日" states={STATES} />
      <Loaded query={users}>
        {({ users: rows, pagination }) => (
          <FoundList label="会員" pagination={pagination} stale={users.isPlaceholderData}>
            <Table
              caption="会員"
              columns={columns}
              rows={rows}
              keyOf={({ _id }) => _id}
              stale={users.isPlaceholderData}
            />
          </FoundList>
        )}
      </Loaded>
      <WriterDialog target={lookingBack && { userId: lookingBack._id }} onClose={() => setLookingBack(null)} />
      <RoleDialog
        user={changing}
        categories={categories}
        onClose={() => setChanging(null)}
        onChanged={(text) => {
          setChanging(null)
          say(text)
          void reload()
        }}
      />
      {banned && (
        <BanDialog
          open={banning !== null}
          target={{ userId: banned._id }}
          who={banned.name}
          onClose={() => setBanning(null)}
          onBanned={() => {
            setBanning(null)
            say(`${banned.name}の書き込みを制限しました。`)
            void reload()
          }}
        />
      )}
      {region}
    </Screen>
  )
}

const STATES: { value: UserState; label: string }[] = [
  { value: 'admin', label: '管理者' },
  { value: 'moderator', label: 'モデレーター' },
  { value: 'banned', label: '制限中' },
]

function Role({ user: { isAdmin, moderates }, categories }: { user: AdminUser; categories: readonly Category[] }) {
  if (isAdmin) return <Seal>管理</Seal>
  if (moderates === null) return null
  return (
    <>
      <Seal tone="gold">見回り</Seal>{' '}
      {moderates === 'all'
        ? '全体'
        : categories
            .filter(({ _id }) => moderates.includes(_id))
            .map(({ name }) => categoryLabel(name))
            .join('、')}
    </>
  )
}
