import type { User } from '@shinobi/contract/accounts'
import { AVATAR_SIZE, PROFILE_IMAGE_MAX_BYTES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { deferred } from '../../lib/deferred.tsx'
import { enterSession, sessionState } from './session.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { Button } from '../../ui/button.tsx'
import { EyeIcon, EyeShutIcon, ImageIcon } from '../../ui/icons.tsx'
import styles from './profile-image.module.css'

const CropDialog = deferred(async () => (await import('./crop-dialog.tsx')).CropDialog)

const DEFAULT_AVATAR = '/default-avatar.png'
/** Whether this browser shows the image; older clients use the same key. */
const SHOWN_KEY = 'showProfileImage'

interface ProfileImageProps {
  user: User
  onChanged: (known: { picture: string }) => void
  /** The content beside the image: the name. */
  children: ReactNode
}

/** The avatar with its actions. */
export function ProfileImage({ user, onChanged, children }: ProfileImageProps) {
  const [shown, setShown] = useState(() => readStored(SHOWN_KEY) !== 'false')
  const [chosen, setChosen] = useState<File | null>(null)
  const [cropping, setCropping] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const picker = useRef<HTMLInputElement>(null)

  const choose = (file: File | undefined) => {
    const wrong = findAvatarProblem(file)
    setProblem(wrong)
    if (file === undefined || wrong !== null) return
    setChosen(file)
    setCropping(true)
  }

  return (
    <div className={styles['identity']}>
      {shown ? (
        <Avatar picture={user.picture} />
      ) : (
        <span className={styles['hidden']} role="img" aria-label="画像は隠されています">
          隠
        </span>
      )}
      <div className={styles['beside']}>
        {children}
        <div className={styles['actions']}>
          <Button
            size="sm"
            icon={<ImageIcon size={16} />}
            // The dialog is loaded by the time a file was chosen.
            onClick={() => {
              void CropDialog.preload()
              picker.current?.click()
            }}
          >
            画像を変更
          </Button>
          <Button
            size="sm"
            icon={shown ? <EyeShutIcon size={16} /> : <EyeIcon size={16} />}
            onClick={() => {
              writeStored(SHOWN_KEY, String(!shown))
              setShown(!shown)
            }}
          >
            {shown ? '画像を隠す' : '画像を表示'}
          </Button>
        </div>
        <p className={styles['problem']} aria-live="polite">
          {problem}
        </p>
      </div>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => {
          choose(event.currentTarget.files?.[0])
          // Allows the same file to be chosen again.
          event.currentTarget.value = ''
        }}
      />
      {chosen !== null && (
        <CropDialog
          open={cropping}
          file={chosen}
          onClose={() => setCropping(false)}
          onUploaded={(picture) => {
            // The member may have another name since, or have logged out in another tab.
            const { user: current } = sessionState()
            if (current !== null) enterSession({ ...current, picture })
            onChanged({ picture })
          }}
        />
      )}
    </div>
  )
}

/** An image that no longer exists is replaced by the default. */
function Avatar({ picture }: { picture: string | null }) {
  const [missing, setMissing] = useState<string | null>(null)
  const image = useRef<HTMLImageElement>(null)
  const source = picture === null || picture === missing ? DEFAULT_AVATAR : picture
  useEffect(() => {
    // The image may have failed before the listener was attached.
    if (image.current?.complete === true && image.current.naturalWidth === 0) setMissing(picture)
  }, [picture])
  return (
    <img
      ref={image}
      src={source}
      alt="プロフィール画像"
      width={AVATAR_SIZE}
      height={AVATAR_SIZE}
      className={styles['avatar']}
      onError={() => setMissing(picture)}
    />
  )
}

/** The problem of a chosen file, as a message; null when it can be used. */
function findAvatarProblem(file: Pick<File, 'type' | 'size'> | undefined): string | null {
  if (file === undefined) return messages.profile_image_missing
  if (!file.type.startsWith('image/')) return messages.profile_image_type
  return file.size > PROFILE_IMAGE_MAX_BYTES ? messages.profile_image_too_large : null
}
