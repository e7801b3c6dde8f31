import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '../config.ts'

/**
 * Whether the sender of a hop is a trusted proxy, whose X-Forwarded-For counts. The same for
 * requests and sockets.
 */
export type ProxyTrust = (address: string, hop: number) => boolean

export function createProxyTrust(setting: Config['trustProxy']): ProxyTrust {
  if (typeof setting === 'boolean') return () => setting
  if (typeof setting === 'number') return (_address, hop) => hop < setting
  return proxyAddr.compile(setting)
}
