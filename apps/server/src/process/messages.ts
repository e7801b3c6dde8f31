/**
 * Messages between the primary and its workers (WEB_CONCURRENCY). Those of /metrics are separate
 * (telemetry/workers.ts).
 */
export type WorkerMessage =
  /** The worker's event loop runs. */
  | { readonly type: 'shinobi:alive' }
  /** The worker serves the board. */
  | { readonly type: 'shinobi:open'; readonly port: number }

/** To a worker: end without refusing requests, because a successor serves. */
export interface RetireMessage {
  readonly type: 'shinobi:retire'
}

/**
 * Set for a worker that begins while no other serves: it listens while it waits for the database.
 * Beside others, listening would only take requests from them.
 */
export const IS_FIRST_WORKER = 'SHINOBI_FIRST_WORKER'

const typeOf = (message: unknown): unknown => (message as { readonly type?: unknown } | null)?.type

export const isAlive = (message: unknown): boolean => typeOf(message) === 'shinobi:alive'
export const isOpen = (message: unknown): message is Extract<WorkerMessage, { type: 'shinobi:open' }> =>
  typeOf(message) === 'shinobi:open'
export const isRetire = (message: unknown): message is RetireMessage => typeOf(message) === 'shinobi:retire'

/** Sends a message to the primary. When the primary has ended, its workers end too. */
export const tellPrimary = (message: WorkerMessage): void =>
  void process.send?.(message, undefined, undefined, () => {})
