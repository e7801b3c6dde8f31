import { Component } from 'react'
import { postElement } from './scroll-to-post.ts'

interface AnchorKeeperProps {
  /** Number before the window's first post. */
  start: number
}

/** The first post before others are prepended, and where its top edge is. */
interface Anchor {
  readonly element: HTMLElement
  readonly top: number
}

/**
 * Prepended posts must not move the text being read. Browsers anchor scrolling themselves, but not
 * at the very top of a page, and Safari not at all: the first post is measured right before the
 * document changes (which only classes are told), and its position is restored after.
 */
export class AnchorKeeper extends Component<AnchorKeeperProps> {
  override getSnapshotBeforeUpdate({ start }: AnchorKeeperProps): Anchor | null {
    if (start === this.props.start) return null
    const element = postElement(start + 1)
    return element && { element, top: element.getBoundingClientRect().top }
  }

  override componentDidUpdate(_props: AnchorKeeperProps, _state: unknown, anchor: Anchor | null): void {
    if (anchor === null || !anchor.element.isConnected) return
    const moved = anchor.element.getBoundingClientRect().top - anchor.top
    if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: 'instant' })
  }

  override render() {
    return null
  }
}
