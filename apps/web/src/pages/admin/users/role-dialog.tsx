import type { AdminUser, RoleInput } from '@shinobi/contract/admin'
import type { Category } from '@shinobi/contract/categories'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { useState } from 'react'
import { ActionForm } from '../../../features/admin/action-form.tsx'
import { changeRole, useAdminId } from '../../../features/admin/api.ts'
import { OneOf, SomeOf } from '../../../ui/choices.tsx'
import { useLast } from '../../../features/admin/use-last.ts'
import { reloadUser } from '../../../features/accounts/reload-user.ts'
import { Dialog } from '../../../ui/dialog.tsx'

interface RoleDialogProps {
  /** The user whose role changes; null closes the dialog. */
  user: AdminUser | null
  categories: readonly Category[]
  onClose: () => void
  onChanged: (text: string) => void
}

export function RoleDialog({ user, ...rest }: RoleDialogProps) {
  const last = useLast(user)
  return (
    <Dialog open={user !== null} onClose={rest.onClose} title="権限を変える">
      {last && <RoleForm key={last._id} user={last} {...rest} />}
    </Dialog>
  )
}

const ROLES = [
  { value: 'member', label: '会員', hint: '読み書きだけ。管理画面は開けません。' },
  { value: 'moderator', label: 'モデレーター', hint: '通報、確認待ち、スレッド、書き込み、制限、結界。' },
  { value: 'admin', label: '管理者', hint: 'すべての操作。設定と権限も変えられます。' },
] as const

const roleOf = ({ isAdmin, moderates }: AdminUser): RoleInput['role'] =>
  isAdmin ? 'admin' : moderates === null ? 'member' : 'moderator'

function RoleForm({ user, categories, onClose, onChanged }: RoleDialogProps & { user: AdminUser }) {
  const adminId = useAdminId()
  const [role, setRole] = useState(roleOf(user))
  const [whole, setWhole] = useState(!Array.isArray(user.moderates))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set(Array.isArray(user.moderates) ? user.moderates : []),
  )
  const scoped = role === 'moderator' && !whole
  const submit = async () => {
    await changeRole(user._id, { role, categoryIds: scoped ? [...chosen] : null })
    // After a change of the own role, the guard must decide again.
    if (user._id === adminId) await reloadUser()
    onChanged(`${user.name}さんの権限を「${ROLES.find(({ value }) => value === role)!.label}」にしました。`)
  }
  return (
    <ActionForm label="変える" disabled={scoped && chosen.size === 0} onCancel={onClose} onSubmit={submit}>
      <p>
        <b>{user.name}</b>
        {user.email !== null && `（${user.email}）`}
      </p>
      <OneOf legend="権限" name="role" options={ROLES} value={role} onChange={setRole} />
      {role === 'moderator' && (
        <OneOf
          legend="担当する範囲"
          name="scope"
          options={[
            { value: 'all', label: '板の全体' },
            { value: 'some', label: '選んだカテゴリだけ' },
          ]}
          value={whole ? 'all' : 'some'}
          onChange={(value) => setWhole(value === 'all')}
        />
      )}
      {scoped && (
        <SomeOf
          legend="担当するカテゴリ"
          name="categories"
          options={categories.map(({ _id, name }) => ({ value: _id, label: categoryLabel(name) }))}
          values={chosen}
          onChange={setChosen}
        />
      )}
    </ActionForm>
  )
}
