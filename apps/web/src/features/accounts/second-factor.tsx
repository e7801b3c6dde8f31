import type { SecondFactor as State, User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import { may } from '@shinobi/contract/permissions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { reloadUser } from './reload-user.ts'
import { wordsOf } from '../../lib/use-request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { KeyIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Seal } from '../../ui/seal.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { accountsKey, secondFactorQuery } from './api.ts'
import { Fact, ProfileSection } from './profile-section.tsx'
import styles from './profile-section.module.css'
import { DropSecondFactor } from './second-factor-drop.tsx'
import { SetUpSecondFactor } from './second-factor-setup.tsx'

interface SecondFactorProps {
  user: User
  hasPassword: boolean
}

const ID = 'second-factor'

/**
 * The second factor of moderators and administrators, and of former ones who have not turned it
 * off.
 */
export function SecondFactor({ user, hasPassword }: SecondFactorProps) {
  const { data, error, refetch } = useQuery(secondFactorQuery(user._id))
  const { hash } = useLocation()
  const ready = data !== undefined
  // Scrolls to this section for a user who was redirected here from the administration.
  useEffect(() => {
    if (ready && hash === `#${ID}`) document.getElementById(ID)?.scrollIntoView({ block: 'start' })
  }, [ready, hash])
  const client = useQueryClient()
  // The sessions as well: those that were opened without a second factor have ended.
  const reload = async () => {
    await Promise.all([client.invalidateQueries({ queryKey: accountsKey }), reloadUser()])
  }
  const isOffered = ready ? data.available || data.enabled : may(user, 'setUpSecondFactor')
  if (!isOffered) return null
  return (
    <ProfileSection id={ID} title="二段階認証">
      {data !== undefined ? (
        <Facts name={user.name} state={data} hasPassword={hasPassword} onChanged={reload} />
      ) : error === null ? (
        <Spinner label="二段階認証を調べています" />
      ) : (
        <>
          <Notice tone="error">{wordsOf(error)}</Notice>
          <div>
            <Button size="sm" onClick={() => void refetch()}>
              もう一度試す
            </Button>
          </div>
        </>
      )}
    </ProfileSection>
  )
}

interface FactsProps {
  name: string
  state: State
  hasPassword: boolean
  onChanged: () => Promise<void>
}

function Facts({ name, state: { enabled, required, recoveryCodes }, hasPassword, onChanged }: FactsProps) {
  const [open, setOpen] = useState<'setup' | 'codes' | 'drop' | null>(null)
  const close = () => setOpen(null)
  return (
    <ul className={styles['facts']}>
      <Fact
        label="認証アプリのコード"
        value={
          <>
            {enabled ? `有効です。復旧コードは残り${recoveryCodes}個。` : '設定していません。'}
            {enabled && <Seal tone="teal">有効</Seal>}
          </>
        }
        action={
          enabled ? (
            <Button size="sm" variant="danger" onClick={() => setOpen('drop')}>
              解除する
            </Button>
          ) : (
            <Button size="sm" variant="primary" icon={<KeyIcon size={16} />} onClick={() => setOpen('setup')}>
              設定する
            </Button>
          )
        }
      >
        {required && !enabled && <Notice tone="info">{messages.second_factor_missing}</Notice>}
        {enabled && recoveryCodes <= FEW_CODES && (
          <Notice tone="info">
            復旧コードが残り{recoveryCodes}個です。一度解除して設定し直すと、新しいコードが手に入ります。
          </Notice>
        )}
      </Fact>
      <Dialog
        open={open === 'setup' || open === 'codes'}
        // The recovery codes are shown once.
        dismissable={open !== 'codes'}
        onClose={close}
        title="二段階認証の設定"
      >
        <SetUpSecondFactor
          name={name}
          hasPassword={hasPassword}
          onClose={close}
          onEnabled={(hasCodes) => {
            if (hasCodes) setOpen('codes')
            void onChanged()
          }}
        />
      </Dialog>
      <Dialog open={open === 'drop'} onClose={close} title="二段階認証の解除">
        <DropSecondFactor
          name={name}
          hasPassword={hasPassword}
          onDropped={() => {
            close()
            void onChanged()
          }}
        />
      </Dialog>
    </ul>
  )
}

/** At this number, a warning: a user who loses the phone again may have no code left. */
const FEW_CODES = 3
