import type * as calls from '@shinobi/contract/accounts'
import type { Profile, SecondFactor } from '@shinobi/contract/accounts'
import type { AnswerOf } from '@shinobi/contract/common'
import { queryOptions } from '@tanstack/react-query'
import { apiGet, apiSend } from '../../lib/api-client.ts'
import { apiUpload } from '../../lib/api-upload.ts'

/** @param code of the second factor, once the server has asked for it (`code_required`) */
export const logIn = (username: string, password: string, code?: string) =>
  apiSend<AnswerOf<typeof calls.login>>('POST', '/auth/login', { username, password, code })

export const register = (account: { username: string; email: string; password: string }) =>
  apiSend<AnswerOf<typeof calls.register>>('POST', '/auth/register', account)

/** The nonce for Google's ID token, so that the token is valid in this browser only. */
export const prepareGoogle = async () =>
  (await apiSend<AnswerOf<typeof calls.prepareGoogle>>('POST', '/auth/google/nonce')).nonce

/**
 * @param credential the ID token of Google Identity Services; the same one again when a code is
 * added
 */
export const enterWithGoogle = (credential: string, code?: string) =>
  apiSend<AnswerOf<typeof calls.google>>('POST', '/auth/google', { credential, code })

export const forgotPassword = (email: string) =>
  apiSend<AnswerOf<typeof calls.forgotPassword>>('POST', '/auth/password/forgot', { email })

export const resetPassword = (token: string, password: string) =>
  apiSend<AnswerOf<typeof calls.resetPassword>>('POST', '/auth/password/reset', { token, password })

export const verifyEmail = (token: string) =>
  apiSend<AnswerOf<typeof calls.verifyEmail>>('POST', '/auth/email/verify', { token })

export const accountsKey = ['accounts'] as const
/**
 * Query keys contain the user's id, so that no user sees data that was fetched for an earlier one.
 */
const accountKeys = {
  profile: (userId: string) => [...accountsKey, userId, 'profile'],
  sessions: (userId: string) => [...accountsKey, userId, 'sessions'],
  secondFactor: (userId: string) => [...accountsKey, userId, 'secondFactor'],
} as const

export const profileQuery = (userId: string) =>
  queryOptions({
    queryKey: accountKeys.profile(userId),
    queryFn: (context) => apiGet<Profile>('/auth/profile', context),
    // A thread that the member has just posted in counts as joined.
    staleTime: 0,
  })

export const sessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: accountKeys.sessions(userId),
    queryFn: async (context) => (await apiGet<AnswerOf<typeof calls.listSessions>>('/auth/sessions', context)).sessions,
    staleTime: 0,
  })

export const renameUser = (name: string) =>
  apiSend<AnswerOf<typeof calls.updateProfile>>('PUT', '/auth/profile', { name })

export function uploadProfileImage(image: File, onProgress: (share: number) => void): Promise<{ picture: string }> {
  const form = new FormData()
  form.set('profileImage', image, image.name)
  return apiUpload<AnswerOf<typeof calls.updateProfileImage>>('/auth/profile/image', form, {
    method: 'PUT',
    onProgress,
  })
}

/** @param currentPassword undefined for an account without a password */
export const changeEmail = (currentPassword: string | undefined, email: string) =>
  apiSend<AnswerOf<typeof calls.changeEmail>>('PUT', '/auth/email', { currentPassword, email })

export const sendVerification = () => apiSend<AnswerOf<typeof calls.sendVerification>>('POST', '/auth/email/send')

/** @param currentPassword undefined for an account without a password */
export const changePassword = (currentPassword: string | undefined, password: string) =>
  apiSend<AnswerOf<typeof calls.changePassword>>('PUT', '/auth/password', { currentPassword, password })

export const endSession = (sessionId: string) => apiSend<object>('DELETE', `/auth/sessions/${sessionId}`)
export const endOtherSessions = () => apiSend<object>('DELETE', '/auth/sessions')

export const deleteAccount = (name: string, currentPassword: string | undefined) =>
  apiSend<object>('DELETE', '/auth/profile', { name, currentPassword })

export const secondFactorQuery = (userId: string) =>
  queryOptions({
    queryKey: accountKeys.secondFactor(userId),
    queryFn: (context) => apiGet<SecondFactor>('/auth/second-factor', context),
    staleTime: 0,
  })

/** @param currentPassword undefined for an account without a password */
export const setUpSecondFactor = (currentPassword: string | undefined) =>
  apiSend<AnswerOf<typeof calls.setUpSecondFactor>>('POST', '/auth/second-factor', { currentPassword })

export const confirmSecondFactor = async (code: string) =>
  (await apiSend<AnswerOf<typeof calls.confirmSecondFactor>>('POST', '/auth/second-factor/confirm', { code }))
    .recoveryCodes

export const dropSecondFactor = (currentPassword: string | undefined, code: string) =>
  apiSend<object>('DELETE', '/auth/second-factor', { currentPassword, code })
