import type { Profile, User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { RetryIcon } from '../../ui/icons.tsx'
import { ScrollRod } from '../../ui/motifs/scroll-rod.tsx'
import { NameEditor } from './name-editor.tsx'
import styles from './profile-card.module.css'
import { ProfileImage } from './profile-image.tsx'

interface ProfileCardProps {
  user: User
  /** The profile could not be loaded, which is shown in place of the name. */
  failed: boolean
  onRetry: () => void
  onChanged: (known: Partial<Profile>) => void
  children?: ReactNode
}

/** The member's profile: a hand scroll with image and name. */
export function ProfileCard({ user, failed, onRetry, onChanged, children }: ProfileCardProps) {
  return (
    <section className={styles['scroll']} aria-label="名前と画像">
      <ScrollRod vertical className={styles['rod']} />
      <div className={styles['paper']}>
        <ProfileImage user={user} onChanged={onChanged}>
          {failed ? (
            <div className={styles['failed']} role="alert">
              <p className={styles['name']}>{messages.profile_failed}</p>
              <Button size="sm" icon={<RetryIcon size={16} />} onClick={onRetry}>
                もう一度試す
              </Button>
            </div>
          ) : (
            <NameEditor user={user} onChanged={onChanged} />
          )}
        </ProfileImage>
        {children}
      </div>
      <ScrollRod vertical className={styles['rod']} />
    </section>
  )
}
