/**
 * Whether the board accepts writes now. This is the only place that refuses writes of visitors and
 * members while an administrator has set the read-only mode, or while the disk is nearly full: for
 * every call before its body is read, and for the socket by `require`.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { messages } from '@shinobi/contract/messages'
import { isForStaff } from '@shinobi/contract/permissions'
import type { BoardSettings } from '@shinobi/contract/settings'
import type { Pause } from '@shinobi/contract/shields'
import { ApiError, refuse } from '../lib/api-error.ts'
import { watchDiskSpace, type DiskSpace, type DiskSpaceOptions } from '../lib/disk-space.ts'
import { SAFE_METHODS } from './origins.ts'
import type { ResponseCache } from './response-cache.ts'
import { NOTICES_TAG } from './tags.ts'

/** `disk_low` affects pictures only. */
export type Obstacle = 'read_only' | 'disk_full' | 'disk_low'

export interface Writability {
  /**
   * Why some or all writes are refused now, the most severe reason; null while all are accepted.
   */
  readonly obstacle: Obstacle | null
  /** The notice for visitors while they cannot write. */
  readonly pause: Pause | null
  readonly disk: DiskSpace
  /** @throws ApiError read_only or disk_full while the board does not accept this */
  require(what: 'text' | 'picture'): void
  /** Calls a listener when the notice for visitors changes. */
  onChange(listener: () => void): void
  /** A write has failed on a full disk, so the last check of the disk is out of date. */
  noteDiskFull(): void
  close(): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** @throws ApiError while the board accepts no pictures */
    requirePictures: () => void
    /** The request was refused by this module; such refusals are expected and not logged. */
    isPausedWrite: boolean
  }
}

/**
 * Calls that stay open besides those of the administration, each with its reason. All others are
 * refused, including new ones.
 */
export const GOES_ON: Readonly<Record<string, string>> = {
  'POST /auth/login': 'an administrator must get in to end this; members stay logged in, too',
  'POST /auth/google/nonce': 'begins a log-in with Google, and writes nothing',
  'POST /auth/google': 'the log-in with Google; google.service.ts refuses to open a new account',
  'POST /auth/refresh': 'renews a session of 15 minutes: without it administrators would be logged out, too',
  'POST /auth/logout': 'members can always end their session',
  'POST /auth/verify': 'reads who is logged in',
  'DELETE /auth/sessions': 'a member who sees a stranger in the account ends that session at once',
  'DELETE /auth/sessions/:sessionId': 'the same for one session',
  'POST /auth/second-factor': 'only moderators and administrators have one, and may need it to open the administration',
  'POST /auth/second-factor/confirm': 'confirms the second factor',
  'POST /api/push/drop': 'a browser can always end its notices, and nothing is stored',
  'DELETE /auth/second-factor': 'removes the second factor, for a device that was lost',
}

/** Seconds in Retry-After; pages poll for the end of the mode at the same interval. */
const READ_ONLY_RETRY_S = 60

export interface WritabilityOptions extends Omit<DiskSpaceOptions, 'onChange'> {
  readonly settings: { readonly current: BoardSettings; onChange(listener: () => void): void }
}

export async function followWritability({ settings, log, ...options }: WritabilityOptions): Promise<Writability> {
  const listeners: (() => void)[] = []
  const disk = await watchDiskSpace({ ...options, log, onChange: tell })
  let isReadOnly = false
  let told = JSON.stringify(pause())
  logReadOnly()
  settings.onChange(() => {
    logReadOnly()
    tell()
  })

  function logReadOnly(): void {
    if (settings.current.readOnly === isReadOnly) return
    isReadOnly = settings.current.readOnly
    log.info(isReadOnly ? 'read-only mode: on, visitors can write nothing' : 'read-only mode: off')
  }

  function obstacle(): Obstacle | null {
    if (settings.current.readOnly) return 'read_only'
    if (disk.state === 'enough') return null
    return disk.state === 'full' ? 'disk_full' : 'disk_low'
  }

  function pause(): Pause | null {
    const reason = obstacle()
    if (reason === null || reason === 'disk_low') return null
    return { reason, message: messages[reason], note: reason === 'read_only' ? settings.current.readOnlyText : '' }
  }

  function tell(): void {
    const now = JSON.stringify(pause())
    if (now === told) return
    told = now
    for (const listener of listeners) listener()
  }

  return {
    disk,
    get obstacle() {
      return obstacle()
    },
    get pause() {
      return pause()
    },
    require(what) {
      const reason = obstacle()
      if (reason === 'read_only') throw new ApiError('read_only', messages.read_only, READ_ONLY_RETRY_S)
      if (reason === 'disk_full') throw refuse('disk_full', 'disk_full')
      if (reason === 'disk_low' && what === 'picture') throw refuse('disk_full', 'disk_full_pictures')
    },
    onChange: (listener) => void listeners.push(listener),
    noteDiskFull() {
      // Refusals while the disk is known to be full give no new information.
      if (disk.state !== 'full') void disk.look()
    },
    close: disk.close,
  }
}

/** Shows visitors at once when writes are refused, or threads cannot be reached, and its end. */
export function announceChanges(
  sources: readonly { onChange(listener: () => void): void }[],
  cache: Pick<ResponseCache, 'dropHere'>,
  live: { noticesChanged(): void },
): void {
  for (const source of sources) {
    source.onChange(() => {
      cache.dropHere([NOTICES_TAG], 'at once')
      live.noticesChanged()
    })
  }
}

/**
 * Refuses calls before their body is read; `withForm` checks again when a form turns out to contain
 * a picture.
 */
export function guardWrites(app: FastifyInstance, writability: Writability): void {
  app.decorateRequest('isPausedWrite', false)
  app.decorateRequest('requirePictures', function (this: FastifyRequest) {
    demand(this, 'picture')
  })
  app.addHook('onRequest', async (request) => {
    const { method, is404 } = request
    const { url, config } = request.routeOptions
    // Moderators free space by deleting, and administrators end the read-only mode.
    const isAdministration = config.action !== undefined && isForStaff(config.action)
    if (SAFE_METHODS.has(method) || is404 || isAdministration || `${method} ${url}` in GOES_ON) return
    demand(request, 'text')
  })
  app.addHook('onResponse', async (_request, { statusCode }) => {
    if (statusCode === 507) writability.noteDiskFull()
  })

  function demand(request: FastifyRequest, what: 'text' | 'picture'): void {
    request.isPausedWrite = true
    writability.require(what)
    request.isPausedWrite = false
  }
}
