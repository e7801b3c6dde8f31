/** Accounts and sessions: who is logged in, and what members can see and change of themselves. */
import { z } from 'zod'
import { answers, created, done, freeName, id, requires, time, type Call } from './common.ts'
import { newNameWords, usernameWords, type TextWords } from './complaints.ts'
import { fitsPassword, holdsAt, isEmail } from './credentials.ts'
import { EMAIL, PASSWORD, USERNAME } from './limits.ts'
import { messages } from './messages.ts'

/**
 * The logged-in user. Only calls about the session itself answer with it; public answers never do.
 */
export const user = z.object({
  _id: id,
  name: z.string(),
  email: z.string().nullable(),
  picture: z.string().nullable().describe('address of the image; null shows /default-avatar.png'),
  isAdmin: z.boolean(),
  moderates: z
    .union([z.literal('all'), z.array(id)])
    .nullable()
    .describe('ids of the categories this member moderates; null for none'),
  secondFactorMissing: z.boolean().describe('a moderator or administrator who has to set up a second factor first'),
})
export type User = z.infer<typeof user>

const memberName = (words: TextWords) =>
  freeName(USERNAME, words).refine((value) => !holdsAt(value), messages.username_at)
/** A member's name. It may not contain an @, of any width. */
export const username = memberName(usernameWords)

export const email = z
  .string({ error: messages.register_required_fields })
  .min(1, messages.register_required_fields)
  .max(EMAIL.max, messages.email_invalid)
  .refine(isEmail, messages.email_invalid)

export const password = z
  .string({ error: messages.register_required_fields })
  .min(1, messages.register_required_fields)
  .refine(fitsPassword, messages.password_length)

/**
 * Maximum characters of a name, address or password that is only compared with a stored one. It is
 * larger than the limits for new values, so that anything a user may have typed is compared.
 */
const COMPARED_MAX = PASSWORD.maxBytes
const required = z
  .string({ error: messages.login_required_fields })
  .min(1, messages.login_required_fields)
  // What is longer is nobody's, cut or not.
  .overwrite((typed) => typed.slice(0, COMPARED_MAX + 1))
/** The token in the link of a mail. */
const linkToken = z
  .string({ error: messages.link_invalid })
  .min(1, messages.link_invalid)
  .max(200, messages.link_invalid)

/**
 * Six digits of the authenticator app, or a recovery code. Required (`code_required`) when the
 * account has a second factor.
 */
const secondCode = z.string().max(40).optional()

export const loginInput = z.object({
  username: required.describe('name, or mail address once it is confirmed'),
  password: required,
  code: secondCode,
})
/** In the order in which its fields are judged (docs/product.md#accounts). */
export const registerInput = z.object({ email, username, password })
export const googleInput = z.object({
  credential: z.string().min(1).max(8_192).describe('the ID token of Google Identity Services'),
  code: secondCode,
})
export const profileInput = z.object({ name: memberName(newNameWords) })
export const passwordInput = z.object({
  currentPassword: z.string().max(COMPARED_MAX).optional().describe('required when the account has a password'),
  password,
})
export const emailInput = z.object({
  email,
  currentPassword: z.string().max(COMPARED_MAX).optional().describe('required when the account has a password'),
})
export const forgotInput = z.object({ email })
export const resetInput = z.object({ token: linkToken, password })
export const verifyEmailInput = z.object({ token: linkToken })
export const deleteAccountInput = z.object({
  name: z
    .string({ error: messages.account_delete_unconfirmed })
    .max(COMPARED_MAX)
    .describe('the own name, typed to confirm'),
  currentPassword: z.string().max(COMPARED_MAX).optional().describe('required when the account has a password'),
})

/** A thread the user has posted in. */
export const room = z.object({ id, name: z.string() })
export const profile = z.object({
  name: z.string(),
  picture: z.string().nullable(),
  room: room.nullable().describe('the newest of the rooms'),
  rooms: z.array(room).describe('threads posted in, newest first'),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  hasPassword: z.boolean().describe('false for an account that only ever used Google'),
  hasGoogle: z.boolean(),
})
export type Profile = z.infer<typeof profile>

/** A browser in which the user is logged in. */
export const session = z.object({
  _id: id,
  current: z.boolean().describe('the one that asks'),
  device: z.string().describe('browser and system in words, such as Chrome / Windows'),
  createdAt: time,
  lastUsedAt: time,
})
export type Session = z.infer<typeof session>

const userAnswer = z.object({ user })
/**
 * The user under `user`, as in other answers, and its fields again at the top for older clients.
 */
const loginAnswer = user.extend({ user })
const messageAndUser = z.object({ message: z.string(), user })
const messageAnswer = z.object({ message: z.string() })

export const login = {
  method: 'POST',
  url: '/auth/login',
  schema: {
    summary: 'Log in with name and password',
    tags: ['accounts'],
    body: loginInput,
    response: answers(loginAnswer),
  },
} as const satisfies Call

export const register = {
  method: 'POST',
  url: '/auth/register',
  schema: {
    summary: 'Open an account',
    description: 'Answers the same whether or not another member has the mail address; only a confirmed one is unique.',
    tags: ['accounts'],
    body: registerInput,
    response: created(messageAndUser),
  },
} as const satisfies Call

export const prepareGoogle = {
  method: 'POST',
  url: '/auth/google/nonce',
  schema: {
    summary: 'Begin a Google sign-in: the nonce for its ID token',
    description:
      'Sets a cookie. From then on, for an hour, the browser is let in only by a token that holds this nonce.',
    tags: ['accounts'],
    response: answers(z.object({ nonce: z.string() })),
  },
} as const satisfies Call

export const google = {
  method: 'POST',
  url: '/auth/google',
  schema: {
    summary: 'Log in or register with a Google ID token',
    description:
      'An account that exists is joined only by a mail address that both its member has confirmed and Google has verified. A token with a nonce counts only in the browser that POST /auth/google/nonce gave it to; one without only where none was given.',
    tags: ['accounts'],
    body: googleInput,
    response: answers(messageAndUser),
  },
} as const satisfies Call

export const refresh = {
  method: 'POST',
  url: '/auth/refresh',
  schema: {
    summary: 'Renew the session',
    description:
      'Rotates the refresh token of the cookie. A token that was used before ends the session. With an `Idempotency-Key` header the same attempt may be repeated (a lost answer): it gets the same new token.',
    tags: ['accounts'],
    response: answers(done),
  },
} as const satisfies Call

export const verify = {
  ...requires('keepAccount'),
  method: 'POST',
  url: '/auth/verify',
  schema: { summary: 'Who is logged in', tags: ['accounts'], response: answers(userAnswer) },
} as const satisfies Call

export const logout = {
  method: 'POST',
  url: '/auth/logout',
  schema: { summary: 'End the session', tags: ['accounts'], response: answers(done) },
} as const satisfies Call

export const getProfile = {
  ...requires('keepAccount'),
  method: 'GET',
  url: '/auth/profile',
  schema: { summary: 'The own profile', tags: ['profile'], response: answers(profile) },
} as const satisfies Call

export const updateProfile = {
  ...requires('keepAccount'),
  method: 'PUT',
  url: '/auth/profile',
  schema: {
    summary: 'Change the own name',
    tags: ['profile'],
    body: profileInput,
    codes: { name: 'bad_username' },
    response: answers(userAnswer),
  },
} as const satisfies Call

export const updateProfileImage = {
  ...requires('keepAccount'),
  method: 'PUT',
  url: '/auth/profile/image',
  schema: {
    summary: 'Change the own image (multipart field profileImage)',
    tags: ['profile'],
    consumes: ['multipart/form-data'],
    form: { fields: z.object({}), file: 'profileImage' },
    response: answers(z.object({ picture: z.string() })),
  },
} as const satisfies Call

export const deleteAccount = {
  ...requires('keepAccount'),
  method: 'DELETE',
  url: '/auth/profile',
  schema: {
    summary: 'Delete the own account',
    description: 'What was posted stays, without the name. Name, mail address, image, password and sessions go.',
    tags: ['profile'],
    body: deleteAccountInput,
    codes: { name: 'bad_username' },
    response: answers(done),
  },
} as const satisfies Call

export const listSessions = {
  ...requires('keepAccount'),
  method: 'GET',
  url: '/auth/sessions',
  schema: {
    summary: 'Where the user is logged in, last used first',
    tags: ['accounts'],
    response: answers(z.object({ sessions: z.array(session) })),
  },
} as const satisfies Call

export const endSession = {
  ...requires('keepAccount'),
  method: 'DELETE',
  url: '/auth/sessions/:sessionId',
  schema: {
    summary: 'Log out another browser',
    tags: ['accounts'],
    params: z.object({ sessionId: id }),
    response: answers(done),
  },
} as const satisfies Call

export const endOtherSessions = {
  ...requires('keepAccount'),
  method: 'DELETE',
  url: '/auth/sessions',
  schema: { summary: 'Log out everywhere else', tags: ['accounts'], response: answers(done) },
} as const satisfies Call

export const changePassword = {
  ...requires('keepAccount'),
  method: 'PUT',
  url: '/auth/password',
  schema: {
    summary: 'Change the own password; the other sessions end',
    tags: ['accounts'],
    body: passwordInput,
    response: answers(messageAnswer),
  },
} as const satisfies Call

export const forgotPassword = {
  method: 'POST',
  url: '/auth/password/forgot',
  schema: {
    summary: 'Have a link mailed that sets a new password',
    description: 'Answers the same whether or not the address is known.',
    tags: ['accounts'],
    body: forgotInput,
    response: answers(messageAnswer),
  },
} as const satisfies Call

export const resetPassword = {
  method: 'POST',
  url: '/auth/password/reset',
  schema: {
    summary: 'Set a new password with the token of the mailed link; all sessions end',
    tags: ['accounts'],
    body: resetInput,
    response: answers(messageAnswer),
  },
} as const satisfies Call

export const changeEmail = {
  ...requires('keepAccount'),
  method: 'PUT',
  url: '/auth/email',
  schema: {
    summary: 'Change the own mail address, while it is not confirmed',
    description:
      'Links that were mailed to the former address end, and one is mailed to the new address. 409 `already_done` once the address is confirmed.',
    tags: ['accounts'],
    body: emailInput,
    response: answers(messageAnswer),
  },
} as const satisfies Call

export const sendVerification = {
  ...requires('keepAccount'),
  method: 'POST',
  url: '/auth/email/send',
  schema: {
    summary: 'Have a link mailed that confirms the own address',
    tags: ['accounts'],
    response: answers(messageAnswer),
  },
} as const satisfies Call

export const verifyEmail = {
  method: 'POST',
  url: '/auth/email/verify',
  schema: {
    summary: 'Confirm a mail address with the token of the mailed link',
    tags: ['accounts'],
    body: verifyEmailInput,
    response: answers(messageAnswer),
  },
} as const satisfies Call

/**
 * The second factor of moderators and administrators: time-based one-time passwords (RFC 6238:
 * SHA-1, 6 digits, 30 seconds).
 */
export const secondFactor = z.object({
  enabled: z.boolean(),
  available: z.boolean().describe('for moderators and administrators'),
  required: z.boolean().describe('without one, nothing of the administration opens'),
  recoveryCodes: z.number().int().describe('how many are left'),
})
export type SecondFactor = z.infer<typeof secondFactor>

const confirmation = z.object({
  currentPassword: z.string().max(COMPARED_MAX).optional().describe('required when the account has a password'),
})

export const getSecondFactor = {
  ...requires('keepAccount'),
  method: 'GET',
  url: '/auth/second-factor',
  schema: { summary: 'The own second factor', tags: ['accounts'], response: answers(secondFactor) },
} as const satisfies Call

export const setUpSecondFactor = {
  ...requires('keepAccount'),
  method: 'POST',
  url: '/auth/second-factor',
  schema: {
    summary: 'A new secret for the authenticator; holds once a code of it was confirmed',
    tags: ['accounts'],
    body: confirmation,
    response: answers(
      z.object({ secret: z.string().describe('base32'), uri: z.string().describe('otpauth://…, for a QR code') }),
    ),
  },
} as const satisfies Call

export const confirmSecondFactor = {
  ...requires('keepAccount'),
  method: 'POST',
  url: '/auth/second-factor/confirm',
  schema: {
    summary: 'Turn it on with a first code; the other sessions end',
    tags: ['accounts'],
    body: z.object({ code: z.string().min(1, messages.code_required).max(40) }),
    response: answers(z.object({ recoveryCodes: z.array(z.string()).describe('shown this once; each works once') })),
  },
} as const satisfies Call

export const dropSecondFactor = {
  ...requires('keepAccount'),
  method: 'DELETE',
  url: '/auth/second-factor',
  schema: {
    summary: 'Turn it off',
    tags: ['accounts'],
    body: confirmation.extend({ code: z.string().min(1, messages.code_required).max(40) }),
    response: answers(done),
  },
} as const satisfies Call
