import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './button.module.css'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'md' | 'sm'

interface Look {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
}

const look = (variant: ButtonVariant, size: ButtonSize, className: string | undefined) =>
  cx(styles['button'], styles[variant], size === 'sm' && styles['sm'], className)

/**
 * A button. While `busy` it stays focusable but ignores presses, so that focus is not lost when a
 * request starts, and a double click sends once.
 */
export function Button({
  variant = 'secondary',
  size = 'md',
  busy = false,
  icon,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: Look & { busy?: boolean } & ComponentProps<'button'>) {
  return (
    <button
      {...rest}
      type={type}
      className={look(variant, size, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy ? <Spinner size="sm" /> : icon}
      {children}
    </button>
  )
}

/** A link of the app with the look of a button. */
export function ButtonLink({
  variant = 'secondary',
  size = 'md',
  icon,
  className,
  children,
  ...rest
}: Look & ComponentProps<typeof Link>) {
  return (
    <Link {...rest} className={look(variant, size, className)}>
      {icon}
      {children}
    </Link>
  )
}

/** A square button with an icon only; its label is its accessible name and its tooltip. */
export function IconButton({
  label,
  className,
  children,
  type = 'button',
  ...rest
}: { label: string } & ComponentProps<'button'>) {
  return (
    <button title={label} {...rest} type={type} aria-label={label} className={cx(styles['icon'], className)}>
      {children}
    </button>
  )
}
