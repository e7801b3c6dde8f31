import { Button } from '../../ui/button.tsx'
import { EyeIcon, EyeShutIcon } from '../../ui/icons.tsx'
import styles from './covered-image.module.css'
import { KeyHint } from '../../ui/key-hint.tsx'

interface CoveredImageProps {
  image: { imageUrl: string | null; thumbnailUrl: string | null; imageWidth: number | null; imageHeight: number | null }
  shown: boolean
  onToggle: () => void
}

/**
 * Reported images can be disturbing: shown grey and blurred until a moderator uncovers them, and
 * small even then.
 */
export function CoveredImage({ image, shown, onToggle }: CoveredImageProps) {
  if (image.imageUrl === null) return null
  return (
    <figure className={styles['figure']}>
      <img
        className={styles['image']}
        data-covered={!shown || undefined}
        src={image.thumbnailUrl ?? image.imageUrl}
        width={image.imageWidth ?? 240}
        height={image.imageHeight ?? 240}
        alt={shown ? '添付された画像' : '覆われた画像'}
        decoding="async"
      />
      <Button
        size="sm"
        aria-pressed={shown}
        icon={shown ? <EyeShutIcon size={16} /> : <EyeIcon size={16} />}
        onClick={onToggle}
      >
        {shown ? '画像を覆う' : '画像を見る'} <KeyHint>V</KeyHint>
      </Button>
    </figure>
  )
}
