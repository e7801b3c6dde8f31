/**
 * State machine of a thread page's connection. Pure.
 * `polling` is `connecting` or `reconnecting` that has lasted so long that the page polls
 * meanwhile.
 */
export type ConnectionState =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'reconnecting' }
  | { readonly kind: 'polling' }

/** `late`: POLL_AFTER_MS have passed without joining. */
export type ConnectionEvent = 'start' | 'joined' | 'lost' | 'late' | 'stop'

export const OFF: ConnectionState = { kind: 'off' }

export function nextState(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  if (event === 'stop') return OFF
  switch (state.kind) {
    case 'off':
      return event === 'start' ? { kind: 'connecting' } : state
    case 'live':
      return event === 'lost' ? { kind: 'reconnecting' } : state
    case 'connecting':
    case 'reconnecting':
      if (event === 'joined') return { kind: 'live' }
      return event === 'late' ? { kind: 'polling' } : state
    case 'polling':
      return event === 'joined' ? { kind: 'live' } : state
  }
}

/** Waiting to join: the poll timeout runs. */
export const isWaiting = (state: ConnectionState): boolean =>
  state.kind === 'connecting' || state.kind === 'reconnecting'
