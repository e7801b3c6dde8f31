import { StrictMode, useEffect, useState, type ComponentType } from 'react'
import { createRoot } from 'react-dom/client'

export interface ApartProps {
  open: boolean
  onClose: () => void
}

/** Longer than the closing of a dialog. */
const GONE_MS = 400

let isShown = false

/**
 * Shows a dialog in a React root of its own, one at a time: pages contain nothing of it before it
 * is opened. It closes when the visitor goes to another page.
 */
export function showApart(Shown: ComponentType<ApartProps>): void {
  if (isShown) return
  isShown = true
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  root.render(
    <StrictMode>
      <Apart
        Shown={Shown}
        onGone={() => {
          root.unmount()
          place.remove()
        }}
      />
    </StrictMode>,
  )
}

function Apart({ Shown, onGone }: { Shown: ComponentType<ApartProps>; onGone: () => void }) {
  const [open, setOpen] = useState(true)
  useEffect(() => {
    const close = () => {
      isShown = false
      setOpen(false)
    }
    addEventListener('popstate', close)
    return () => removeEventListener('popstate', close)
  }, [])
  useEffect(() => {
    if (open) return
    const timer = setTimeout(onGone, GONE_MS)
    return () => clearTimeout(timer)
  }, [open, onGone])
  return (
    <Shown
      open={open}
      onClose={() => {
        isShown = false
        setOpen(false)
      }}
    />
  )
}
