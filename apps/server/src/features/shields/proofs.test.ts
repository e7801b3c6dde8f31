/** Proofs of work: who can use them, how long they are valid, and which are refused. */
import { expect } from 'vitest'
import type { Challenge } from 'altcha-lib/types'
import { createRetention } from '../../retention.ts'
import { openBoard, signUp, startThread, visit, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { fetchChallenge, prove, solve, submit } from '../../testing/raid.ts'

const MINUTE_MS = 60_000

const it = boardTest
  .extend('thread', { scope: 'file' }, async ({ admin }) => {
    const thread = await startThread(admin)
    await admin.put(`/api/admin/shields/${thread.categoryId}`, { step: 2 })
    return thread
  })
  .extend('helpers', ({ board, thread }) => {
    const newcomer = (): Guest => visit(board, `198.51.100.${(guests += 1)}`)
    async function posts(guest: Guest): Promise<number> {
      const answer = await guest.post(`/api/threads/${thread._id}/posts`, {
        content: '一言',
        name: `客${(names += 1)}`,
      })
      return answer.status
    }
    return { newcomer, posts }
  })

let guests = 0

let names = 0

it('a proof lets a newcomer write for a day', async ({ board, helpers: { newcomer, posts } }) => {
  const guest = newcomer()
  expect(await posts(guest)).toBe(428)
  const answer = await prove(guest)
  expect(answer.body.until).toBe(new Date(board.clock.now + 24 * 60 * MINUTE_MS).toISOString())
  expect(await posts(guest)).toBe(201)
  // The task does not disclose the visitor's id.
  const challenge = await fetchChallenge(guest)
  expect(JSON.stringify(challenge)).not.toContain(guest.cookies.get('visitor')!.split('.')[0])
})

it('a proof expires after a day', async ({ board, helpers: { newcomer, posts } }) => {
  const guest = newcomer()
  await prove(guest)
  board.clock.now += 24 * 60 * MINUTE_MS
  expect(await posts(guest)).toBe(428)
})

it('a proof is bound to the browser that asked for the task', async ({ helpers: { newcomer, posts } }) => {
  const [guest, thief] = [newcomer(), newcomer()]
  await fetchChallenge(thief)
  const challenge = await fetchChallenge(guest)
  const proof = { challenge, solution: await solve(challenge) }
  const refused = await submit(thief, proof)
  expect([refused.status, refused.body.code]).toEqual([400, 'bad_proof'])
  expect(await posts(thief)).toBe(428)
  expect((await submit(guest, proof)).status).toBe(200)
})

it('a proof is accepted once, even when it is sent several times at once', async ({ helpers: { newcomer } }) => {
  const guest = newcomer()
  const challenge = await fetchChallenge(guest)
  const proof = { challenge, solution: await solve(challenge) }
  const answers = await Promise.all([submit(guest, proof), submit(guest, proof), submit(guest, proof)])
  expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 400, 400])
  expect((await submit(guest, proof)).status).toBe(400)
})

it('a proof is refused after five minutes', async ({ board, helpers: { newcomer } }) => {
  const guest = newcomer()
  const challenge = await fetchChallenge(guest)
  const solution = await solve(challenge)
  board.clock.now += 5 * MINUTE_MS
  expect((await submit(guest, { challenge, solution })).status).toBe(400)
})

it('a forged proof is refused: an easier task, another key, a later deadline, a wrong solution, nonsense', async ({
  helpers: { newcomer, posts },
}) => {
  const guest = newcomer()
  const challenge = await fetchChallenge(guest)
  const { parameters, signature } = challenge
  const easy: Challenge = { parameters: { ...parameters, cost: 1, keyPrefix: '00' }, signature: signature! }
  delete easy.parameters.keySignature
  const solution = await solve(challenge)
  const later: Challenge = {
    parameters: { ...parameters, data: { ...parameters.data, until: Number.MAX_SAFE_INTEGER } },
    signature: signature!,
  }
  const proofs: unknown[] = [
    { challenge: easy, solution: await solve(easy) },
    { challenge: later, solution },
    { challenge: { parameters, signature: 'ab'.repeat(32) }, solution },
    { challenge: { parameters, signature: `${signature} ` }, solution },
    { challenge: { parameters }, solution },
    { challenge, solution: { counter: solution.counter, derivedKey: 'ab'.repeat(32) } },
    { challenge, solution: { counter: 0, derivedKey: parameters.keyPrefix } },
    { challenge, solution: { counter: '1', derivedKey: {} } },
    { challenge: null, solution },
    [],
    null,
    'nonsense',
  ]
  for (const proof of proofs) {
    const answer = await submit(guest, proof)
    expect([proof, answer.status, answer.body.code]).toEqual([proof, 400, 'bad_proof'])
  }
  expect((await guest.post('/api/proofs', { payload: '%%%' })).status).toBe(400)
  expect(await posts(guest)).toBe(428)
  expect((await submit(guest, { challenge, solution })).status).toBe(200)
})

it('the task is harder while posts are held in any category', async ({ board, thread, helpers: { newcomer } }) => {
  const admin = await signUp(board, '副頭領', { isAdmin: true })
  const searched = async (): Promise<number> => (await solve(await fetchChallenge(newcomer()))).counter
  expect(await searched()).toBeLessThanOrEqual(300)
  await admin.put(`/api/admin/shields/${thread.categoryId}`, { step: 3 })
  expect(await searched()).toBeGreaterThanOrEqual(300)
  await admin.put(`/api/admin/shields/${thread.categoryId}`, { step: 2 })
})

it('the number of tasks per visitor is limited', async ({ helpers: { newcomer } }) => {
  const guest = newcomer()
  const answers: number[] = []
  for (let tries = 0; tries < 31; tries += 1) answers.push((await guest.post('/api/proofs/challenge')).status)
  expect(answers.slice(-2)).toEqual([200, 429])
})

it('an expired proof is deleted', async ({ board, helpers: { newcomer } }) => {
  const guest = newcomer()
  await prove(guest)
  board.clock.now += 24 * 60 * MINUTE_MS
  await createRetention(board.deps).sweep(board.clock.now)
  const rows = await board.database.db.selectFrom('proofs').selectAll().execute()
  expect(rows).toEqual([])
})

it('on plain http, where browsers cannot compute a proof, posts are held instead', async () => {
  const own = await openBoard({ PUBLIC_URL: 'http://board.example.jp', CORS_ORIGINS: 'http://localhost' })
  const admin = await signUp(own, '頭領', { isAdmin: true })
  const place = await startThread(admin)
  await admin.put(`/api/admin/shields/${place.categoryId}`, { step: 2 })
  const answer = await visit(own).post(`/api/threads/${place._id}/posts`, { content: '一言', name: '客' })
  expect([answer.status, answer.body]).toMatchObject([202, { held: {} }])
  await own.close()
})
