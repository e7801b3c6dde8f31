import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import { objectionTo } from '@shinobi/contract/permissions'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { KeyIcon } from '../ui/icons.tsx'
import { LoginGuard } from './guards.tsx'
import { paths } from './paths.ts'

/**
 * Guests are redirected to /login, members who are not staff to /. Which screens are for
 * administrators alone stands in admin-pages.ts. The server checks every call again (`guardAccess`
 * in apps/server/src/http/access-guard.ts), by the same table of permissions.
 */
export function AdminGuard({ children }: { children: (user: User) => ReactNode }) {
  return (
    <LoginGuard>
      {(user) => {
        const objection = objectionTo(user, 'enterAdministration')
        if (objection === 'second_factor_missing') return <SecondFactorMissing />
        return objection === null ? children(user) : <Navigate to={paths.home} replace />
      }}
    </LoginGuard>
  )
}

function SecondFactorMissing() {
  return (
    <div className="container">
      <h1 className="visually-hidden">管理</h1>
      <EmptyState title={messages.second_factor_missing} pose="error">
        <ButtonLink variant="primary" icon={<KeyIcon size={18} />} to={`${paths.profile}#second-factor`}>
          二段階認証を設定する
        </ButtonLink>
      </EmptyState>
    </div>
  )
}
