/**
 * The second factor of administrators and moderators: time-based one-time passwords (RFC 6238), and
 * recovery codes for a lost telephone.
 */
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { SecondFactor } from '@shinobi/contract/accounts'
import type { Core } from '../../core.ts'
import type { Db } from '../../db/client.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import { may } from '@shinobi/contract/permissions'
import type { Member } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { createSecretBox, type SecretBox } from '../../lib/secret-box.ts'
import { hashToken } from '../../lib/secret-token.ts'
import type { AccountsDeps } from './accounts.deps.ts'
import { confirmPassword } from './accounts.service.ts'
import {
  confirmSecret,
  deleteSecondFactor,
  insertSecret,
  selectSecondFactor,
  takeRecoveryCode,
  takeStep,
} from './second-factor.queries.ts'
import { needsSecondFactor } from './second-factor.rules.ts'
import { deleteSessions } from './sessions.queries.ts'
import { lockUser } from './users.queries.ts'

/** The parameters that every authenticator supports; many support no others. */
const STANDARD = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** For clocks that are off by half a minute, and codes that are typed as they expire. */
const WINDOW_STEPS = 1
/** As long as the hash's output, as RFC 4226 recommends. */
const SECRET_BYTES = 20
const CODE = /^\d{6}$/
const ISSUER = '忍板'

const RECOVERY_CODES = 10
/** 80 bits: a leaked hash cannot be reversed. */
const RECOVERY_BYTES = 10
/** Without letters and digits that look alike on paper. */
const RECOVERY_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LETTERS_IN_GROUP = 4

const sealOf = ({ secret }: Pick<Core, 'secret'>): SecretBox => createSecretBox(secret, 'second factor')

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ ...STANDARD, issuer: ISSUER, label, secret: Secret.fromBase32(secret) })

/** Normalises typed codes: full-width, in groups, in lower case. */
const tidy = (code: string): string =>
  code
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase()

function createRecoveryCode(): string {
  let bits = BigInt(`0x${randomBytes(RECOVERY_BYTES).toString('hex')}`)
  let code = ''
  for (let count = 0; count < (RECOVERY_BYTES * 8) / 5; count += 1) {
    if (count > 0 && count % LETTERS_IN_GROUP === 0) code += '-'
    code += RECOVERY_LETTERS[Number(bits & 31n)]
    bits >>= 5n
  }
  return code
}

/** The time step of this code; null when it matches no current step. Compared in constant time. */
function findStep(secret: string, code: string, now: number): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW_STEPS })
  return delta === null ? null : TOTP.counter({ period: STANDARD.period, timestamp: now }) + delta
}

/**
 * The secret of a row; null when it was sealed with another SESSION_SECRET: then only a recovery
 * code opens the account.
 */
function openSecret(deps: Pick<Core, 'secret' | 'log'>, sealedSecret: string, userId: string): string | null {
  try {
    return sealOf(deps).open(sealedSecret, userId)
  } catch (error) {
    deps.log.error({ err: error }, 'the secret of a second factor cannot be decrypted: has SESSION_SECRET changed?')
    return null
  }
}

/** Consumes a code of the authenticator, or a recovery code. */
async function takeCode(
  deps: Pick<Core, 'secret' | 'log' | 'now'>,
  db: Db,
  { userId, sealedSecret, code }: { readonly userId: string; readonly sealedSecret: string; readonly code: string },
): Promise<boolean> {
  if (!CODE.test(code)) return takeRecoveryCode(db, userId, hashToken(code))
  const secret = openSecret(deps, sealedSecret, userId)
  const step = secret === null ? null : findStep(secret, code, deps.now())
  return step !== null && takeStep(db, userId, step)
}

/** An attempt with a code. Its caller knows the password, and may still be a stranger. */
export interface CodeTry {
  readonly userId: string
  readonly typed: string | undefined
  /** Prefix of the address, see addressPrefix(). */
  readonly address: string
  /**
   * The browser, where a code was right before (codedDevice in known-device.ts), or the session.
   */
  readonly device: string | null
}

/**
 * The key by which wrong codes are counted. Six digits can be guessed from many addresses together,
 * so all unknown clients share one count. The holder is counted separately in a browser that has
 * shown a code before, and so is a recovery code, which cannot be guessed.
 */
function countOf({ userId, address, device }: CodeTry, code: string): string {
  if (device !== null) return `${userId} ${device}`
  return CODE.test(code) ? userId : `${userId} ${address}`
}

/**
 * Requires the second factor, after the password or Google, where the account has one.
 * @param db a transaction, where the following action must happen only if the code is consumed
 * @returns whether there is one
 * @throws ApiError code_required without a code, bad_code, too_many_requests after too many wrong
 * ones
 */
export async function requireCode(deps: AccountsDeps, db: Db, attempt: CodeTry): Promise<boolean> {
  const { userId, typed } = attempt
  const factor = await selectSecondFactor(db, userId)
  if (factor === undefined || factor.confirmedAt === null) return false
  const code = tidy(typed ?? '')
  if (code === '') throw refuse('code_required', 'code_required')
  const { codes } = deps.accountLimits
  // Counted before it is checked, so that concurrent attempts cannot exceed the limit.
  const count = countOf(attempt, code)
  await codes.take(count)
  if (!(await takeCode(deps, db, { userId, sealedSecret: factor.sealedSecret, code })))
    throw refuse('bad_code', 'code_wrong')
  await codes.giveBack(count)
  return true
}

export async function readSecondFactor({ db, settings }: AccountsDeps, member: Member): Promise<SecondFactor> {
  const factor = await selectSecondFactor(db, member.id)
  const enabled = factor !== undefined && factor.confirmedAt !== null
  return {
    enabled,
    available: may(member, 'setUpSecondFactor'),
    required: needsSecondFactor(settings.current, member),
    recoveryCodes: enabled ? factor.recoveryCodes : 0,
  }
}

/**
 * Creates a new secret, which is in effect once a first code confirms it.
 * @param address prefix of the client's address, see addressPrefix()
 * @throws ApiError forbidden for a member who is neither administrator nor moderator, already_done,
 * bad_password, too_many_requests
 */
export async function setUpSecondFactor(
  deps: AccountsDeps,
  member: Member,
  currentPassword: string | undefined,
  address: string,
): Promise<{ secret: string; uri: string }> {
  if (!may(member, 'setUpSecondFactor')) throw refuse('forbidden', 'second_factor_unavailable')
  await confirmPassword(deps, member, currentPassword, address)
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const sealed = sealOf(deps).seal(secret, member.id)
  if (!(await insertSecret(deps.db, member.id, sealed, new Date(deps.now())))) {
    throw refuse('already_done', 'second_factor_exists')
  }
  return { secret, uri: totpOf(secret, member.name).toString() }
}

/**
 * Turns it on with a first code, and ends the member's other sessions: they were opened without
 * one.
 * @returns the recovery codes
 * @throws ApiError bad_request when none was set up, already_done, bad_code, too_many_requests
 */
export async function confirmSecondFactor(deps: AccountsDeps, member: Member, typed: string): Promise<string[]> {
  const { db, live, accountLimits } = deps
  const factor = await selectSecondFactor(db, member.id)
  if (factor === undefined) throw refuse('bad_request', 'second_factor_none')
  if (factor.confirmedAt !== null) throw refuse('already_done', 'second_factor_exists')
  await accountLimits.codes.take(member.id)
  const { sealedSecret } = factor
  const secret = openSecret(deps, sealedSecret, member.id)
  const step = secret === null ? null : findStep(secret, tidy(typed), deps.now())
  if (step === null) throw refuse('bad_code', 'code_wrong')
  await accountLimits.codes.giveBack(member.id)
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode)
  const recoveryHashes = recoveryCodes.map((code) => hashToken(tidy(code)))
  const at = new Date(deps.now())
  await inTransaction(db, async (tx) => {
    // A concurrent log-in either inserts its session before, which ends here, or checks for the
    // second factor after.
    await lockUser(tx, member.id)
    if (!(await confirmSecret(tx, { userId: member.id, sealedSecret, step, recoveryHashes, at }))) {
      throw refuse('already_done', 'second_factor_exists')
    }
    const ended = await deleteSessions(tx, member.id, { except: member.sessionId })
    afterCommit(tx, () => live.endSessions(ended))
  })
  return recoveryCodes
}

/**
 * Turns it off.
 * @param address prefix of the client's address, see addressPrefix()
 * @throws ApiError bad_request without one, bad_password, bad_code, too_many_requests
 */
export async function dropSecondFactor(
  deps: AccountsDeps,
  member: Member,
  { currentPassword, code }: { readonly currentPassword?: string | undefined; readonly code: string },
  address: string,
): Promise<void> {
  const { db } = deps
  const factor = await selectSecondFactor(db, member.id)
  if (factor === undefined || factor.confirmedAt === null) throw refuse('bad_request', 'second_factor_none')
  await confirmPassword(deps, member, currentPassword, address)
  // The session was opened with a code, or else turned the factor on.
  await requireCode(deps, db, { userId: member.id, typed: code, address, device: member.sessionId })
  await deleteSecondFactor(db, member.id)
}
