import type { ReactNode } from 'react'
import type { ButtonVariant } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ActionForm } from './action-form.tsx'

interface ConfirmDialogProps {
  open: boolean
  title: string
  /** Label of the confirming button. */
  label: string
  variant?: ButtonVariant
  onClose: () => void
  onConfirm: () => Promise<unknown>
  /** The question, and its subject. */
  children: ReactNode
}

/** Asks for confirmation; shows the error of a failure. */
export function ConfirmDialog({ open, title, onClose, onConfirm, ...rest }: ConfirmDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <ActionForm onCancel={onClose} onSubmit={onConfirm} {...rest} />
    </Dialog>
  )
}
