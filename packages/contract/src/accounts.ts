import { z } from 'zod'
import { answers, created, freeName, id, type Call } from './common.ts'
import { EMAIL, PASSWORD, USERNAME } from './limits.ts'
import { messages } from './messages.ts'
import { countBytes, countGraphemes } from './text.ts'

/** The signed-in user, as the session's own calls answer it; never part of a public answer. */
export const user = z.object({
  _id: id,
  name: z.string(),
  email: z.string().nullable(),
  picture: z.string().nullable(),
  isAdmin: z.boolean(),
})
export type User = z.infer<typeof user>

export const username = freeName(USERNAME, {
  blank: messages.register_required_fields,
  too_short: messages.username_length,
  too_long: messages.username_length,
  bad_characters: messages.username_bad_characters,
})

/** No spaces, one @, a dot in the domain (SPEC §5). */
export const email = z
  .string({ error: messages.register_required_fields })
  .min(1, messages.register_required_fields)
  .max(EMAIL.max, messages.email_invalid)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, messages.email_invalid)

export const password = z
  .string({ error: messages.register_required_fields })
  .min(1, messages.register_required_fields)
  .refine(
    (value) =>
      countBytes(value) <= PASSWORD.maxBytes &&
      countGraphemes(value) >= PASSWORD.min &&
      countGraphemes(value) <= PASSWORD.max,
    messages.password_length,
  )

const required = z.string({ error: messages.login_required_fields }).min(1, messages.login_required_fields).max(512)

export const loginInput = z.object({ username: required, password: required })
export const registerInput = z.object({ username, email, password })
export const googleInput = z.object({
  credential: z.string().min(1).max(8_192).describe('the ID token of Google Identity Services'),
})
export const profileInput = z.object({ name: username })

/** A thread the user has posted in. */
export const room = z.object({ id, name: z.string() })
export const profile = z.object({
  name: z.string(),
  picture: z.string().nullable(),
  room: room.nullable().describe('the newest of the rooms'),
  rooms: z.array(room).describe('threads posted in, newest first'),
})
export type Profile = z.infer<typeof profile>

const userAnswer = z.object({ user })
const messageAndUser = z.object({ message: z.string(), user })
const done = z.object({})

export const login = {
  method: 'POST',
  url: '/auth/login',
  schema: { summary: 'Log in with name and password', tags: ['accounts'], body: loginInput, response: answers(user) },
} as const satisfies Call

export const register = {
  method: 'POST',
  url: '/auth/register',
  schema: { summary: 'Open an account', tags: ['accounts'], body: registerInput, response: created(messageAndUser) },
} as const satisfies Call

export const google = {
  method: 'POST',
  url: '/auth/google',
  schema: {
    summary: 'Log in or register with a Google ID token',
    tags: ['accounts'],
    body: googleInput,
    response: answers(messageAndUser),
  },
} as const satisfies Call

export const refresh = {
  method: 'POST',
  url: '/auth/refresh',
  schema: { summary: 'Renew the session', tags: ['accounts'], response: answers(done) },
} as const satisfies Call

export const verify = {
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
  method: 'GET',
  url: '/auth/profile',
  schema: { summary: 'The own profile', tags: ['accounts'], response: answers(profile) },
} as const satisfies Call

export const updateProfile = {
  method: 'PUT',
  url: '/auth/profile',
  schema: { summary: 'Change the own name', tags: ['accounts'], body: profileInput, response: answers(userAnswer) },
} as const satisfies Call

export const updateProfileImage = {
  method: 'PUT',
  url: '/auth/profile/image',
  schema: {
    summary: 'Change the own image (multipart field profileImage)',
    tags: ['accounts'],
    consumes: ['multipart/form-data'],
    response: answers(z.object({ picture: z.string() })),
  },
} as const satisfies Call
