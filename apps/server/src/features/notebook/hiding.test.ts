import { describe, expect } from 'vitest'
import type { StoredHiding } from '@shinobi/contract/hiding'
import type { HidingEntry, HidingTraits } from '@shinobi/contract/hiding-entry'
import { HIDING_BATCH, HIDING_ROWS_MAX, HIDING_RULES_MAX, HIDING_TEXT } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { ErrorAnswer } from '@shinobi/contract/errors'
import { PASSWORD, signUp, visit, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { uuidv7 } from '../../lib/uuid.ts'

const URL = '/api/notebook/hiding'
const it = boardTest.extend('member', ({ board }) => signUp(board))

const plain: HidingTraits = { chain: false, traceless: false, endsAt: null }
const word = (text: string, changedAt: number, fields: Partial<HidingEntry> = {}): HidingEntry => ({
  kind: 'word',
  text,
  threadId: null,
  traits: plain,
  changedAt,
  ...fields,
})

const answerTo = (who: Guest, entries: readonly HidingEntry[]) => who.post<ErrorAnswer>(URL, { entries })
const send = async (who: Guest, ...entries: HidingEntry[]) => (await answerTo(who, entries)).status
const read = async (who: Guest, since = 0) => (await who.get<StoredHiding>(`${URL}?since=${since}`)).body
const entriesOf = async (who: Guest) => (await read(who)).entries

/** Sends as many batches as they need. */
async function sendAll(who: Guest, entries: readonly HidingEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += HIDING_BATCH)
    expect(await send(who, ...entries.slice(from, from + HIDING_BATCH))).toBe(200)
}

describe('the rules of hiding of a member', () => {
  it('are merged of what two devices send, and each is told what has changed', async ({ board, member }) => {
    const now = board.clock.now
    expect(await read(member)).toEqual({ entries: [], since: 0, more: false, total: 0 })
    const threadId = uuidv7(now)
    const here = word('宣伝', now - 8, { threadId })
    const everywhere = word('宣伝', now - 9, { traits: { chain: true, traceless: true, endsAt: now + 1e6 } })
    expect(await send(member, here, everywhere)).toBe(200)
    const first = await read(member)
    expect(first).toMatchObject({ more: false, total: 2 })
    expect(first.entries).toHaveLength(2)
    expect(first.entries).toEqual(expect.arrayContaining([here, everywhere]))

    const again = word('宣伝', now - 5, { threadId, traits: { ...plain, chain: true } })
    await send(member, again)
    // An earlier change that arrives later changes nothing, and neither does what is known.
    await send(member, word('宣伝', now - 6, { threadId, traits: null }), again)
    const second = await read(member, first.since)
    expect(second).toMatchObject({ entries: [again], total: 2 })
    expect((await read(member, second.since)).entries).toEqual([])
  })

  it('stay removed on all devices, until they are made again', async ({ board, member }) => {
    const now = board.clock.now
    const removal = word('宣伝', now - 5, { traits: null })
    await send(member, word('宣伝', now - 8))
    await send(member, removal)
    await send(member, word('宣伝', now - 6))
    expect(await read(member)).toMatchObject({ entries: [removal], total: 0 })
    const again = word('宣伝', now - 2)
    await send(member, again)
    expect(await read(member)).toMatchObject({ entries: [again], total: 1 })
  })

  it('end at their date, also on a device that knows them without one', async ({ board, member }) => {
    const now = board.clock.now
    const rule = word('宣伝', now - 5, { traits: { ...plain, endsAt: now + 1_000 } })
    await send(member, word('宣伝', now - 8), rule)
    expect(await read(member)).toMatchObject({ entries: [rule], total: 1 })
    board.clock.now += 1_000
    expect(await read(member)).toMatchObject({ entries: [{ ...rule, traits: null }], total: 0 })
    await send(member, word('宣伝', now - 6))
    expect(await entriesOf(member)).toEqual([{ ...rule, traits: null }])
  })

  it('are not told of a removal by whom never had the rule', async ({ board, member }) => {
    await send(member, word('ほかの会員の言葉', board.clock.now - 5, { traits: null }))
    expect(await entriesOf(member)).toEqual([])
  })

  it('take times of the future as now, and say which that is', async ({ board, member }) => {
    const answer = await member.post<{ at: number }>(URL, { entries: [word('宣伝', board.clock.now + 1e9)] })
    expect(answer.body.at).toBeLessThanOrEqual(board.clock.now)
    expect((await entriesOf(member))[0]!.changedAt).toBe(answer.body.at)
  })

  it('lose nothing of two devices that write at the same moment', async ({ board, member }) => {
    const sent = Array.from({ length: 8 }, (_, index) => word(`言葉${index}`, board.clock.now - 9))
    expect(await Promise.all(sent.map((entry) => send(member, entry)))).toEqual(sent.map(() => 200))
    expect((await entriesOf(member)).map(({ text }) => text).toSorted()).toEqual(sent.map(({ text }) => text))
  })

  it('are bounded: what is too much is refused with words, and a removal makes room', async ({ board, member }) => {
    const now = board.clock.now
    const all = Array.from({ length: HIDING_RULES_MAX }, (_, index) => word(`言葉${index}`, now - 900))
    await sendAll(member, all)
    const { status, body } = await answerTo(member, [word('もう一つ', now - 5), word('もう二つ', now - 5)])
    expect([status, body]).toEqual([409, { code: 'full', message: messages.hiding_account_full }])
    expect(await read(member)).toMatchObject({ more: true, total: HIDING_RULES_MAX })
    // A change of one that is there needs no room.
    expect(await send(member, word('言葉0', now - 4, { traits: { ...plain, chain: true } }))).toBe(200)
    expect(await send(member, word('言葉1', now - 4, { traits: null }), word('もう一つ', now - 5))).toBe(200)
    expect((await read(member)).total).toBe(HIDING_RULES_MAX)
  })

  it('are read in pages, and the earliest removals are forgotten first', async ({ board, member }) => {
    const now = board.clock.now
    const kept = word('残る', now - 9_000)
    await send(member, kept)
    for (let from = 0; from < HIDING_ROWS_MAX; from += HIDING_RULES_MAX) {
      const some = Array.from({ length: HIDING_RULES_MAX - 1 }, (_, index) => word(`言葉${from + index}`, now - 900))
      await sendAll(member, some)
      await sendAll(
        member,
        some.map((entry) => ({ ...entry, changedAt: now - 800, traits: null })),
      )
    }
    await sendAll(member, [word('最後の一つ', now - 700), word('最後の二つ', now - 700), word('最後の三つ', now - 700)])
    const told: HidingEntry[] = []
    let answer = await read(member)
    for (;;) {
      told.push(...answer.entries)
      if (!answer.more) break
      answer = await read(member, answer.since)
    }
    expect(told).toHaveLength(HIDING_ROWS_MAX)
    expect(told).toContainEqual(kept)
    expect(answer.total).toBe(4)
  })

  it('are seen and changed by that member only, who can clear them alone or with the notebook', async ({
    board,
    member,
  }) => {
    const other = await signUp(board)
    const rule = word('宣伝', board.clock.now - 5)
    await send(member, rule)
    expect(await entriesOf(other)).toEqual([])
    await send(other, { ...rule, traits: { ...plain, chain: true } })
    expect(await entriesOf(member)).toEqual([rule])
    expect((await other.delete(URL)).status).toBe(200)
    expect(await read(other)).toMatchObject({ entries: [], total: 0 })
    expect(await entriesOf(member)).toEqual([rule])
    expect((await member.delete('/api/notebook')).status).toBe(200)
    expect(await entriesOf(member)).toEqual([])
  })

  it('are neither written, told nor cleared where the page means another member', async ({ board, member }) => {
    const other = await signUp(board)
    const rule = word('宣伝', board.clock.now - 5)
    await send(member, rule)
    const meant = `memberId=${other.userId}`
    const statuses = [
      (await member.post(`${URL}?${meant}`, { entries: [word('荒らし', 1)] })).status,
      (await member.get(`${URL}?${meant}`)).status,
      (await member.delete(`${URL}?${meant}`)).status,
      (await member.get(`/api/notebook?${meant}`)).status,
      (await member.delete(`/api/notebook?${meant}`)).status,
    ]
    expect(statuses).toEqual([403, 403, 403, 403, 403])
    expect((await member.get<StoredHiding>(`${URL}?memberId=${member.userId}`)).body.entries).toEqual([rule])
  })

  it('are in no shared cache', async ({ board, member }) => {
    await send(member, word('宣伝', board.clock.now - 5))
    const answer = await member.get(URL)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('are for members, of a bounded size, and not to be written without end', async ({ board, member }) => {
    const visitor = visit(board)
    const rule = word('宣伝', 1)
    const statuses = [(await visitor.get(URL)).status, await send(visitor, rule), (await visitor.delete(URL)).status]
    expect(statuses).toEqual([401, 401, 401])
    expect(await send(member, ...Array.from({ length: HIDING_BATCH + 1 }, (_, index) => word(`${index}`, 1)))).toBe(400)
    for (const text of ['', 'a\0b', 'a'.repeat(HIDING_TEXT.maxBytes + 1)])
      expect(await send(member, word(text, 1))).toBe(400)
    expect(await send(member, { ...rule, threadId: '草' })).toBe(400)
    expect(await send(member, { ...rule, kind: 'smell' as 'word' })).toBe(400)
    const answers: number[] = []
    for (let index = 0; index < 61; index += 1) answers.push(await send(member, rule))
    expect([answers[0], answers.at(-1)]).toEqual([200, 429])
  })

  it('end with the account', async ({ board, member }) => {
    await send(member, word('宣伝', 1))
    const left = await member.delete('/auth/profile', { name: member.name, currentPassword: PASSWORD })
    expect(left.status).toBe(200)
    const rows = board.database.db.selectFrom('hidingRules').select('targetHash')
    expect(await rows.where('userId', '=', member.userId).execute()).toEqual([])
    expect(await send(member, word('宣伝', 1))).toBe(401)
  })
})
