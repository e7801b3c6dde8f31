import { isWebAddress } from '@shinobi/contract/web-address'
import type { ReactNode } from 'react'
import { ExternalIcon } from './icons.tsx'

interface LinkProps {
  className?: string | undefined
  children: ReactNode
}

const HINT = <span className="visually-hidden">（新しいタブで開きます）</span>

/** A link to a page of the board that opens beside the present one: staff keep their place. */
export const NewTabLink = ({ href, className, children }: LinkProps & { href: string }) => (
  <a href={href} target="_blank" rel="noopener" className={className}>
    {children}
    {HINT}
  </a>
)

interface OutsideLinkProps extends LinkProps {
  url: string
  /** Of the mark behind it, in px. */
  iconSize?: number
}

/**
 * A link to another site. The contract promises a web address; one from outside is checked again
 * here, where it becomes a link, and anything else stays text.
 */
export function OutsideLink({ url, iconSize = 12, className, children }: OutsideLinkProps) {
  if (!isWebAddress(url)) return children
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" className={className}>
      {children}
      <ExternalIcon size={iconSize} />
      {HINT}
    </a>
  )
}
