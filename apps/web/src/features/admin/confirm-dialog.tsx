import type { ReactNode } from 'react'
import type { ButtonVariant } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ActionForm } from './action-form.tsx'

interface ConfirmDialogProps {
  open: boolean
  title: string
  /** On the button that does it. */
  label: string
  variant?: ButtonVariant
  onClose: () => void
  onConfirm: () => Promise<unknown>
  /** What is asked, and about what. */
  children: ReactNode
}

/** Asks before something is done; a failure is told in it. */
export function ConfirmDialog({ open, title, onClose, onConfirm, ...rest }: ConfirmDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <ActionForm onCancel={onClose} onSubmit={onConfirm} {...rest} />
    </Dialog>
  )
}
