/**
 * Which push services the board sends to. A subscription names any address it likes, so only the
 * services of the large browsers are accepted, and those that the operator names.
 */
import { OPEN_DOOR, PUBLIC_DOOR, type Door } from '@shinobi/newsroom/outbound/addresses'

/** Chrome, Edge, Firefox and Safari, with the browsers that use the service of one of them. */
const KNOWN = ['fcm.googleapis.com', '.notify.windows.com', '.push.services.mozilla.com', '.push.apple.com']

/**
 * The addresses that a service may lead to, checked when a connection is made: public ones, and any
 * for a service that the operator names. Null: nothing is sent there.
 * @param named origins of PUSH_SERVICES
 */
export function doorOf(endpoint: string, named: readonly string[]): Door | null {
  const url = URL.parse(endpoint)
  if (url === null || url.username !== '' || url.password !== '') return null
  if (named.includes(url.origin)) return OPEN_DOOR
  const isKnown = KNOWN.some((host) => (host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host))
  return isKnown && url.protocol === 'https:' && url.port === '' ? PUBLIC_DOOR : null
}
