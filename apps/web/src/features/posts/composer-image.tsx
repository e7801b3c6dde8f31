import { useRef } from 'react'
import { IMAGE_ACCEPT } from '../images/image-file.ts'
import type { ImagePickerState } from '../images/image-picker.tsx'
import { IconButton } from '../../ui/button.tsx'
import { CloseIcon, ImageIcon } from '../../ui/icons.tsx'
import styles from './composer.module.css'

interface Props {
  picker: ImagePickerState
  disabled: boolean
}

/** Opens the file dialog. The composer is too small for the large picker of the forms. */
export function ImageButton({ picker, disabled }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={IMAGE_ACCEPT}
        hidden
        disabled={disabled}
        onChange={(event) => {
          picker.choose(event.currentTarget.files?.[0])
          // Allows the same file to be chosen again after it was removed.
          event.currentTarget.value = ''
        }}
      />
      <IconButton label="画像を添付" disabled={disabled} onClick={() => input.current?.click()}>
        <ImageIcon />
      </IconButton>
    </>
  )
}

/** The chosen image, with a button that removes it. */
export function ComposerImage({ picker, disabled }: Props) {
  const { previewUrl, dragging, remove } = picker
  if (dragging) return <p className={styles['drop']}>ここに離すと添付します。</p>
  if (previewUrl === null) return null
  return (
    <div className={styles['preview']}>
      <img src={previewUrl} alt="添付する画像のプレビュー" />
      <IconButton label="画像を外す" onClick={remove} disabled={disabled}>
        <CloseIcon size={16} />
      </IconButton>
    </div>
  )
}
