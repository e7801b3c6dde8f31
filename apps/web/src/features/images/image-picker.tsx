/** Attaches one image, from the file dialog, the clipboard or by dropping it. */
import {
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type ReactNode,
} from 'react'
import { messages } from '@shinobi/contract/messages'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { CloseIcon, ImageIcon } from '../../ui/icons.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { checkShown, findImageProblem, IMAGE_ACCEPT, prepareImage } from './image-file.ts'
import styles from './image-picker.module.css'

export interface DropHandlers {
  onDragEnter: (event: DragEvent) => void
  onDragOver: (event: DragEvent) => void
  onDragLeave: (event: DragEvent) => void
  onDrop: (event: DragEvent) => void
}

export interface ImagePickerState {
  /** Ready to be sent. */
  file: File | null
  /** blob: address for the preview. */
  previewUrl: string | null
  /** Why the last file was refused; another object for each refusal, even with the same text. */
  error: { readonly text: string } | null
  /** An image is being read and scaled down; sending must wait. */
  working: boolean
  /** An image is dragged over the drop area. */
  dragging: boolean
  choose: (file: File | null | undefined) => void
  remove: () => void
  /** Removes a file that was sent; another one that was chosen meanwhile stays. */
  settle: (sent: File | null) => void
  /** For the text field or the form: takes an image from the clipboard, ignores text. */
  onPaste: (event: ClipboardEvent) => void
  /** For the drop area, usually the whole form. */
  dropHandlers: DropHandlers
}

const imageOf = (files: FileList | undefined): File | undefined => {
  const list = Array.from(files ?? [])
  return list.find((file) => file.type.startsWith('image/')) ?? list[0]
}

const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

export function useImagePicker({ disabled = false }: { disabled?: boolean } = {}): ImagePickerState {
  const [file, setFile] = useState<File | null>(null)
  const [error, setError] = useState<ImagePickerState['error']>(null)
  const [working, setWorking] = useState(false)
  const [dragging, setDragging] = useState(false)
  /**
   * Only the latest good choice is used: scaling takes time, and another file may be chosen
   * meanwhile.
   */
  const choice = useRef(0)
  /** dragenter and dragleave fire for every child that is crossed. */
  const depth = useRef(0)
  const previewUrl = useObjectUrl(file)

  const choose = useCallback(
    (chosen: File | null | undefined) => {
      if (chosen == null || disabled) return
      const problem = findImageProblem(chosen)
      setError(problem === null ? null : { text: problem })
      // A refused file leaves the one that is still being read, or was chosen before.
      if (problem !== null) return
      const turn = ++choice.current
      setWorking(true)
      const finish = (take: () => void) => {
        if (turn !== choice.current) return
        take()
        setWorking(false)
      }
      const prepare = async () => {
        const ready = await prepareImage(chosen)
        await checkShown(ready)
        return ready
      }
      prepare().then(
        (ready) => finish(() => setFile(ready)),
        () => finish(() => setError({ text: messages.image_broken })),
      )
    },
    [disabled],
  )

  const remove = useCallback(() => {
    choice.current += 1
    setFile(null)
    setError(null)
    setWorking(false)
  }, [])

  const settle = useCallback((sent: File | null) => setFile((now) => (now === sent ? null : now)), [])

  const onPaste = useCallback(
    (event: ClipboardEvent) => {
      // Office programs add an image of copied text to the clipboard: text has priority.
      if (event.clipboardData.types.includes('text/plain')) return
      const image = imageOf(event.clipboardData.files)
      if (image === undefined) return
      event.preventDefault()
      choose(image)
    },
    [choose],
  )

  const dropHandlers = useMemo<DropHandlers>(() => {
    const move = (event: DragEvent, by: number) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      depth.current = Math.max(0, depth.current + by)
      setDragging(depth.current > 0)
    }
    return {
      onDragEnter: (event) => move(event, 1),
      onDragOver: (event) => move(event, 0),
      onDragLeave: (event) => move(event, -1),
      onDrop(event) {
        if (!carriesFiles(event)) return
        event.preventDefault()
        depth.current = 0
        setDragging(false)
        choose(imageOf(event.dataTransfer.files))
      },
    }
  }, [choose])

  return { file, previewUrl, error, working, dragging, choose, remove, settle, onPaste, dropHandlers }
}

function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (file === null) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(null)
    }
  }, [file])
  return url
}

interface ImagePickerProps {
  picker: ImagePickerState
  label?: string
  hint?: ReactNode
  /** 0 to 1 while the image is uploaded. */
  progress?: number | null
  disabled?: boolean
}

/** The button, the preview with its remove button, the message, and the progress while sending. */
export function ImagePicker({
  picker,
  label = '画像を選ぶ',
  hint,
  progress = null,
  disabled = false,
}: ImagePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const { file, previewUrl, error, working, dragging, choose, remove } = picker
  return (
    <div className={cx(styles['picker'], dragging && styles['dragging'])}>
      <input
        ref={input}
        type="file"
        accept={IMAGE_ACCEPT}
        hidden
        disabled={disabled}
        onChange={(event) => {
          choose(event.currentTarget.files?.[0])
          // Allows the same file to be chosen again after it was removed.
          event.currentTarget.value = ''
        }}
      />
      <div className={styles['row']}>
        {file !== null && previewUrl !== null && (
          <figure className={styles['preview']}>
            <img src={previewUrl} alt="添付する画像のプレビュー" />
            <IconButton label="画像を外す" onClick={remove} disabled={disabled} className={styles['remove']}>
              <CloseIcon size={16} />
            </IconButton>
          </figure>
        )}
        <div className={styles['choice']}>
          <Button
            icon={<ImageIcon size={18} />}
            busy={working}
            disabled={disabled}
            aria-describedby={error === null ? undefined : errorId}
            onClick={() => input.current?.click()}
          >
            {file === null ? label : '別の画像にする'}
          </Button>
          {hint !== undefined && <p className={styles['hint']}>{dragging ? 'ここに離すと添付します。' : hint}</p>}
        </div>
      </div>
      <p id={errorId} className={styles['error']} aria-live="polite">
        {error?.text}
      </p>
      {progress !== null && <ProgressBar value={progress} label="送信中" />}
    </div>
  )
}
