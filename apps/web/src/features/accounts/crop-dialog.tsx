import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MinusIcon, PlusIcon } from '../../ui/icons.tsx'
import { FormProblem, Notice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { uploadProfileImage } from './api.ts'
import styles from './crop-dialog.module.css'
import { closeImage, cropImage, openImage } from './crop-image.ts'
import { centred, drag, placement, shapeOf, zoomTo, ZOOM_MAX, type Crop } from './crop.ts'

export interface CropDialogProps {
  open: boolean
  /** The chosen file. */
  file: File
  onClose: () => void
  onUploaded: (picture: NonNullable<User['picture']>) => void
}

/** Selects the part of an image that becomes the avatar, and uploads it. */
export function CropDialog({ open, file, onClose, onUploaded }: CropDialogProps) {
  const [progress, setProgress] = useState<number | null>(null)
  const close = () => {
    if (progress === null) onClose()
  }
  return (
    <Dialog open={open} onClose={close} title="画像を切り抜く">
      <Cropper
        file={file}
        progress={progress}
        setProgress={setProgress}
        onCancel={close}
        onUploaded={(picture) => {
          onUploaded(picture)
          onClose()
        }}
      />
    </Dialog>
  )
}

interface CropperProps {
  file: File
  progress: number | null
  setProgress: (progress: number | null) => void
  onCancel: () => void
  onUploaded: (picture: string) => void
}

function Cropper({ file, progress, setProgress, onCancel, onUploaded }: CropperProps) {
  const [image, setImage] = useState<HTMLImageElement | null>(null)
  const [crop, setCrop] = useState<Crop>({ x: 0.5, y: 0.5, zoom: 1 })
  const [problem, setProblem] = useState<string | null>(null)
  const [broken, setBroken] = useState(false)
  const busy = progress !== null

  useEffect(() => {
    let opened: HTMLImageElement | null = null
    let wanted = true
    openImage(file).then(
      (found) => {
        opened = found
        if (!wanted) return closeImage(found)
        setImage(found)
        setCrop(centred(shapeOf(found.naturalWidth, found.naturalHeight)))
      },
      () => {
        if (wanted) setBroken(true)
      },
    )
    return () => {
      wanted = false
      // The next file may come while a closed dialog still has this one.
      setImage(null)
      setBroken(false)
      setProblem(null)
      if (opened !== null) closeImage(opened)
    }
  }, [file])

  const upload = async () => {
    if (image === null || busy) return
    setProblem(null)
    setProgress(0)
    try {
      const { picture } = await uploadProfileImage(await cropImage(image, crop), setProgress)
      onUploaded(picture)
    } catch (error) {
      const reason = error instanceof ApiError ? error.reason : messages.try_again
      setProblem(`${messages.profile_image_failed}${reason}`)
    } finally {
      setProgress(null)
    }
  }

  if (broken) {
    return (
      <div className={styles['cropper']}>
        <Notice tone="error">{messages.image_broken}</Notice>
        <div className={styles['actions']}>
          <Button onClick={onCancel}>閉じる</Button>
        </div>
      </div>
    )
  }
  return (
    <div className={styles['cropper']}>
      {image === null ? (
        <div className={styles['view']}>
          <Spinner label="画像を開いています" />
        </div>
      ) : (
        <CropView image={image} crop={crop} onCrop={setCrop} />
      )}
      {busy ? (
        <ProgressBar value={progress} label="送信中" />
      ) : (
        <p className={styles['hint']}>動かして、円に収める部分を決めます。</p>
      )}
      <div className={styles['actions']}>
        <Button variant="ghost" disabled={busy} onClick={onCancel}>
          キャンセル
        </Button>
        <Button variant="primary" busy={busy} disabled={image === null} data-autofocus onClick={() => void upload()}>
          この画像にする
        </Button>
      </div>
      {problem !== null && <FormProblem>{problem}</FormProblem>}
    </div>
  )
}

const ZOOM_STEP = 1.15
/** Distance of one arrow key, as a part of the view's edge. */
const KEY_STEP = 0.04

interface CropViewProps {
  image: HTMLImageElement
  crop: Crop
  onCrop: (change: (crop: Crop) => Crop) => void
}

function CropView({ image, crop, onCrop }: CropViewProps) {
  const view = useRef<HTMLDivElement>(null)
  /** Active pointers on the view, with their positions. */
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  const shape = shapeOf(image.naturalWidth, image.naturalHeight)

  // React registers wheel listeners as passive, which would let the dialog scroll as well.
  useEffect(() => {
    const element = view.current
    if (element === null) return
    const zoom = (event: WheelEvent) => {
      event.preventDefault()
      const { left, top, width } = element.getBoundingClientRect()
      const at = { x: (event.clientX - left) / width - 0.5, y: (event.clientY - top) / width - 0.5 }
      const factor = Math.exp(-Math.sign(event.deltaY) * Math.min(0.3, Math.abs(event.deltaY) / 500))
      onCrop((crop) => zoomTo(crop, shapeOf(image.naturalWidth, image.naturalHeight), crop.zoom * factor, at))
    }
    element.addEventListener('wheel', zoom, { passive: false })
    return () => element.removeEventListener('wheel', zoom)
  }, [image, onCrop])

  const down = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
  }
  const up = (event: PointerEvent) => fingers.current.delete(event.pointerId)

  const move = (event: PointerEvent<HTMLDivElement>) => {
    const before = fingers.current.get(event.pointerId)
    if (before === undefined) return
    const after = { x: event.clientX, y: event.clientY }
    fingers.current.set(event.pointerId, after)
    const { left, top, width } = event.currentTarget.getBoundingClientRect()
    const [other] = [...fingers.current].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]))
    // With two fingers each move counts half, so that both together move the image.
    const share = other === undefined ? 1 : 0.5
    const [dx, dy] = [((after.x - before.x) / width) * share, ((after.y - before.y) / width) * share]
    onCrop((crop) => {
      const dragged = drag(crop, shape, dx, dy)
      if (other === undefined) return dragged
      const spread = distance(after, other) / Math.max(1, distance(before, other))
      const middle = { x: (after.x + other.x) / 2, y: (after.y + other.y) / 2 }
      const at = { x: (middle.x - left) / width - 0.5, y: (middle.y - top) / width - 0.5 }
      return zoomTo(dragged, shape, dragged.zoom * spread, at)
    })
  }

  const press = (event: KeyboardEvent) => {
    const change = keys[event.key]
    if (change === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onCrop((crop) => change(crop, shape))
  }

  const { left, top, width, height } = placement(crop, shape)
  const zoomBy = (factor: number) => onCrop((crop) => zoomTo(crop, shape, crop.zoom * factor))
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application has its own keys, which its label names */}
      <div
        ref={view}
        className={styles['view']}
        role="application"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
        tabIndex={0}
        aria-label="切り抜く範囲。矢印キーで動かし、プラスとマイナスのキーで拡大・縮小します。"
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={up}
        onKeyDown={press}
      >
        <img
          src={image.src}
          alt=""
          draggable={false}
          className={styles['image']}
          style={{ left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }}
        />
        <span className={styles['mask']} aria-hidden="true" />
      </div>
      <div className={styles['zoom']}>
        <IconButton label="縮小" disabled={crop.zoom <= 1} onClick={() => zoomBy(1 / ZOOM_STEP)}>
          <MinusIcon />
        </IconButton>
        <input
          type="range"
          className={styles['range']}
          aria-label="拡大率"
          min={0}
          max={100}
          step={1}
          value={Math.round((Math.log(crop.zoom) / Math.log(ZOOM_MAX)) * 100)}
          onChange={(event) => {
            const zoom = ZOOM_MAX ** (Number(event.target.value) / 100)
            onCrop((crop) => zoomTo(crop, shape, zoom))
          }}
        />
        <IconButton label="拡大" disabled={crop.zoom >= ZOOM_MAX} onClick={() => zoomBy(ZOOM_STEP)}>
          <PlusIcon />
        </IconButton>
      </div>
    </>
  )
}

type Point = { readonly x: number; readonly y: number }
const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

type Shape = ReturnType<typeof shapeOf>
const zoomed = (factor: number) => (crop: Crop, shape: Shape) => zoomTo(crop, shape, crop.zoom * factor)
const moved = (dx: number, dy: number) => (crop: Crop, shape: Shape) => drag(crop, shape, dx, dy)
const keys: Readonly<Record<string, (crop: Crop, shape: Shape) => Crop>> = {
  ArrowLeft: moved(-KEY_STEP, 0),
  ArrowRight: moved(KEY_STEP, 0),
  ArrowUp: moved(0, -KEY_STEP),
  ArrowDown: moved(0, KEY_STEP),
  '+': zoomed(ZOOM_STEP),
  ';': zoomed(ZOOM_STEP),
  '=': zoomed(ZOOM_STEP),
  '-': zoomed(1 / ZOOM_STEP),
}
