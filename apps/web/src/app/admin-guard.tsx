import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { runsBoard } from '../lib/runs-board.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { KeyIcon } from '../ui/icons.tsx'
import { LoginGuard } from './guards.tsx'
import { paths } from './paths.ts'

/** Guests go to /login, members who run nothing to /. The server judges again at every call. */
export function AdminGuard({ children }: { children: (user: User) => ReactNode }) {
  return (
    <LoginGuard>
      {(user) => {
        if (!runsBoard(user)) return <Navigate to={paths.home} replace />
        return user.secondFactorMissing ? <SecondFactorMissing /> : children(user)
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
