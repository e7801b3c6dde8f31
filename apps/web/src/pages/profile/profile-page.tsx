import type { Profile as ProfileData, User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import { isStaff } from '@shinobi/contract/permissions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { LoginGuard } from '../../app/guards.tsx'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { AccountFacts } from '../../features/accounts/account-facts.tsx'
import { accountsKey, profileQuery } from '../../features/accounts/api.ts'
import { DeleteAccount } from '../../features/accounts/delete-account.tsx'
import { ProfileCard } from '../../features/accounts/profile-card.tsx'
import { RoomList } from '../../features/accounts/room-list.tsx'
import { SecondFactor } from '../../features/accounts/second-factor.tsx'
import { SessionList } from '../../features/accounts/session-list.tsx'
import { logOut } from '../../features/accounts/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { GridIcon, LeaveIcon } from '../../ui/icons.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './profile-page.module.css'

export function ProfilePage() {
  return (
    <>
      <PageHead
        title="プロフィール"
        description="忍板での名前と画像、アカウントの設定です。"
        path={paths.profile}
        noindex
      />
      <LoginGuard>{(user) => <Profile key={user._id} user={user} />}</LoginGuard>
    </>
  )
}

function Profile({ user }: { user: User }) {
  const query = profileQuery(user._id)
  const profile = useQuery(query)
  const queryClient = useQueryClient()
  const { data } = profile
  /** All of the account: a changed password ends other sessions, too. */
  const reload = () => void queryClient.invalidateQueries({ queryKey: accountsKey })
  /** Shows the change at once, and refetches the rest from the server. */
  const change = (known: Partial<ProfileData> = {}) => {
    queryClient.setQueryData(query.queryKey, (before) => before && { ...before, ...known })
    reload()
  }
  useEffect(() => {
    // Another tab may have changed them.
    void queryClient.invalidateQueries({ queryKey: profileQuery(user._id).queryKey }, { cancelRefetch: false })
  }, [queryClient, user._id, user.name, user.picture])
  return (
    <div className={`container ${styles['page']}`}>
      <header className={styles['head']}>
        <h1 className="screen-title">プロフィール</h1>
        <div className={styles['actions']}>
          {isStaff(user) && (
            <ButtonLink to={paths.admin()} icon={<GridIcon size={18} />}>
              管理画面
            </ButtonLink>
          )}
          <LogOutButton />
        </div>
      </header>
      <ProfileCard
        // Until the profile is loaded, the session's data of the user.
        user={data === undefined ? user : { ...user, name: data.name, picture: data.picture }}
        failed={profile.isError && data === undefined}
        onRetry={reload}
        onChanged={change}
      />
      {profile.isError && data === undefined && <EmptyState pose="offline" title={messages.check_line} />}
      {data !== undefined && (
        <div>
          <RoomList {...data} />
          <AccountFacts profile={data} onChanged={change} />
          <SecondFactor user={user} hasPassword={data.hasPassword} />
          <SessionList userId={user._id} />
          <DeleteAccount user={user} hasPassword={data.hasPassword} />
        </div>
      )}
      {profile.isPending && (
        <div className={styles['pending']}>
          <Spinner label="プロフィールを読み込んでいます" />
        </div>
      )}
    </div>
  )
}

/** Ends the session whatever the server answers; the guard then redirects to /login. */
function LogOutButton() {
  const [busy, setBusy] = useState(false)
  // Preload the log-in screen: the server may be down at the log-out.
  useEffect(() => {
    import('../../app/entrance.ts').catch(() => {})
  }, [])
  return (
    <Button
      busy={busy}
      icon={<LeaveIcon size={18} />}
      onClick={() => {
        setBusy(true)
        void logOut()
      }}
    >
      ログアウト
    </Button>
  )
}
