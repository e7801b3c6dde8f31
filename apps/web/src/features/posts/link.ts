/**
 * The line to the thread: how its state follows from what happens to the socket. Pure.
 * `polling` is the same as `connecting` or `reconnecting`, only so late that the page asks by itself meanwhile.
 */
export type Link =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'reconnecting' }
  | { readonly kind: 'polling' }

/** `late`: POLL_AFTER_MS have passed without a joined socket. */
export type LinkEvent = 'start' | 'joined' | 'lost' | 'late' | 'stop'

export const OFF: Link = { kind: 'off' }

export function nextLink(link: Link, event: LinkEvent): Link {
  if (event === 'stop') return OFF
  switch (link.kind) {
    case 'off':
      return event === 'start' ? { kind: 'connecting' } : link
    case 'live':
      return event === 'lost' ? { kind: 'reconnecting' } : link
    case 'connecting':
    case 'reconnecting':
      if (event === 'joined') return { kind: 'live' }
      return event === 'late' ? { kind: 'polling' } : link
    case 'polling':
      return event === 'joined' ? { kind: 'live' } : link
  }
}

/** Waiting for the socket, so that the clock towards polling runs. */
export const isWaiting = (link: Link): boolean => link.kind === 'connecting' || link.kind === 'reconnecting'
