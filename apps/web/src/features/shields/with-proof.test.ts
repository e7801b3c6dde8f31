import { messages } from '@shinobi/contract/messages'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../lib/api-client.ts'
import { prove } from './proof.ts'
import { withProof } from './with-proof.ts'

vi.mock('./proof.ts', () => ({ prove: vi.fn(async () => {}) }))
const proving = vi.fn()
const wanted = () => new ApiError(428, 'proof_required', messages.shield_proof, { fromServer: true })

beforeEach(() => {
  vi.mocked(prove).mockReset()
  proving.mockReset()
})

test('an accepted request needs no proof', async () => {
  await expect(withProof(async () => '草', proving)).resolves.toBe('草')
  expect(prove).not.toHaveBeenCalled()
  expect(proving).not.toHaveBeenCalled()
})

test('when a proof is required it is computed, and the same request is sent again', async () => {
  const send = vi.fn(async () => '草').mockRejectedValueOnce(wanted())
  await expect(withProof(send, proving)).resolves.toBe('草')
  expect(send).toHaveBeenCalledTimes(2)
  expect(prove).toHaveBeenCalledTimes(1)
  expect(proving.mock.calls).toEqual([[true], [false]])
})

test('other refusals do not start a proof', async () => {
  const banned = new ApiError(403, 'banned', '制限されています', { fromServer: true })
  await expect(withProof(() => Promise.reject(banned), proving)).rejects.toBe(banned)
  expect(prove).not.toHaveBeenCalled()
})

test("a failed proof is reported, and the server's message about a proof is passed on", async () => {
  vi.mocked(prove).mockRejectedValueOnce(new TypeError('no worker'))
  await expect(withProof(() => Promise.reject(wanted()), proving)).rejects.toThrow(messages.proof_failed)
  const limited = new ApiError(429, 'too_many_requests', messages.too_many_requests, { retryAfter: 9 })
  vi.mocked(prove).mockRejectedValueOnce(limited)
  await expect(withProof(() => Promise.reject(wanted()), proving)).rejects.toBe(limited)
  expect(proving).toHaveBeenLastCalledWith(false)
})
