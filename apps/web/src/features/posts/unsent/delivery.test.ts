import { UNSENT_ASK_AFTER_MS } from '@shinobi/contract/limits'
import { describe, expect, it } from 'vitest'
import { ApiError, noAnswer } from '../../../lib/api-client.ts'
import { makePost } from '../post-fixtures.ts'
import {
  afterFailure,
  findWriterProblem,
  idAfter,
  isVisibleTo,
  judge,
  nextOf,
  pauseAfter,
  standingOf,
  waitingOf,
  wantedAgain,
  type UnsentPost,
} from './delivery.ts'

const NOW = 1_000_000_000
const unsent = (id: string, more: Partial<UnsentPost> = {}): UnsentPost => ({
  ...{ id, threadId: 'a', threadTitle: '月', owner: null, content: id, name: '忍', hasKey: false, sage: false },
  ...{ asStaff: false, image: null, wantedAt: NOW, notBefore: 0, refusal: null, isTold: false, answer: null },
  ...more,
})
const refusal = (code: ConstructorParameters<typeof ApiError>[1], retryAfter: number | null = null) =>
  new ApiError(400, code, '使えません。', { retryAfter, fromServer: true })

describe('nextOf', () => {
  const next = (posts: readonly UnsentPost[], me: string | null = null, now = NOW) => nextOf(posts, 'a', me, now)?.id

  it('is the first written of the thread', () => {
    expect(next([unsent('2'), unsent('1'), unsent('0', { threadId: 'b' })])).toBe('1')
    expect(next([])).toBeUndefined()
  })

  it('is the first written, also when the clock was set back before the second', () => {
    const first = unsent(idAfter([], NOW))
    const second = unsent(idAfter([first], NOW - 3_600_000))
    expect(next([second, first])).toBe(first.id)
    expect(next([second])).toBe(second.id)
  })

  it('is none while the first has to wait, because a later one must not overtake it', () => {
    const posts = [unsent('1', { notBefore: NOW + 5_000 }), unsent('2')]
    expect(next(posts)).toBeUndefined()
    expect(next(posts, null, NOW + 5_000)).toBe('1')
  })

  it('waits for no time that a clock has left in the far future before it was set right', () => {
    expect(next([unsent('1', { notBefore: NOW + 40 * 86_400_000 })])).toBe('1')
  })

  it('passes by what its writer has to decide about', () => {
    const asked = unsent('2', { wantedAt: NOW - UNSENT_ASK_AFTER_MS - 1 })
    const answered = unsent('3', { answer: makePost(2) })
    expect(next([unsent('1', { refusal: '使えません。' }), asked, answered, unsent('4')])).toBe('4')
  })

  it('is never the post of another member, or of a visitor before the log-in', () => {
    const posts = [unsent('1', { owner: 'kaede' }), unsent('2')]
    expect([next(posts, null), next(posts, 'kaede'), next(posts, 'hanzo')]).toEqual(['2', '1', undefined])
  })
})

describe('standingOf', () => {
  it('asks before a post goes that has waited for more than a day, until it is wanted again', () => {
    const post = unsent('1')
    expect(standingOf(post, NOW + UNSENT_ASK_AFTER_MS)).toBe('waiting')
    const later = NOW + UNSENT_ASK_AFTER_MS + 1
    expect(standingOf(post, later)).toBe('asking')
    expect(standingOf(wantedAgain(post, later), later)).toBe('waiting')
    expect(waitingOf([post], null, later)).toEqual([])
  })

  it('a refused post waits for its writer, who may want it once more', () => {
    const refused = unsent('1', { refusal: '使えません。', isTold: true })
    expect(standingOf(refused, NOW)).toBe('refused')
    expect(wantedAgain(refused, NOW)).toMatchObject({ refusal: null, isTold: false })
  })
})

describe('judge', () => {
  it('takes a lost answer, a proxy’s error and an error of the server for no answer', () => {
    expect(judge(noAnswer())).toBe('unanswered')
    expect(judge(new ApiError(502, 'unavailable', ''))).toBe('unanswered')
    expect(judge(new ApiError(404, 'not_found', ''))).toBe('unanswered')
    expect(judge(refusal('unavailable'))).toBe('unanswered')
    expect(judge(refusal('unexpected'))).toBe('unanswered')
  })

  it('tries again after a cooldown, the read-only mode and an ended session', () => {
    for (const code of ['too_many_requests', 'spam', 'read_only', 'disk_full', 'unauthorized'] as const)
      expect(judge(refusal(code))).toBe('later')
  })

  it('leaves to the writer what the server will not take', () => {
    for (const code of ['banned', 'banned_word', 'locked', 'thread_full', 'not_found', 'forbidden', 'taken'] as const)
      expect(judge(refusal(code))).toBe('refused')
    expect(judge(new ApiError(413, 'payload_too_large', ''))).toBe('refused')
    expect(judge(new ApiError(0, 'bad_proof', ''))).toBe('refused')
    expect(judge(new TypeError('a mistake of the page'))).toBe('refused')
  })
})

describe('afterFailure', () => {
  it('keeps the server’s words of a refusal', () => {
    expect(afterFailure(unsent('1'), refusal('banned'), NOW).refusal).toBe('使えません。')
  })

  it('waits as long as the server asks, or a minute', () => {
    const after = (error: unknown) => afterFailure(unsent('1'), error, NOW)
    expect(after(refusal('too_many_requests', 30))).toMatchObject({ notBefore: NOW + 30_000, refusal: null })
    expect(after(refusal('read_only')).notBefore).toBe(NOW + 60_000)
    expect(after(noAnswer()).notBefore).toBe(0)
  })

  it('lets a post without a session go at once after the log-in', () => {
    expect(afterFailure(unsent('1'), refusal('unauthorized'), NOW)).toMatchObject({ notBefore: 0, refusal: null })
  })
})

it('a post goes under the session that it was written in, and no other', () => {
  const codeFor = (owner: string | null, me: string | null | undefined) =>
    findWriterProblem(unsent('1', { owner }), me)?.code
  expect([codeFor('kaede', 'kaede'), codeFor(null, null), codeFor('kaede', undefined)]).toEqual(
    Array(3).fill(undefined),
  )
  expect([codeFor('kaede', null), codeFor('kaede', 'hanzo')]).toEqual(['unauthorized', 'unauthorized'])
  expect(codeFor(null, 'hanzo')).toBe('network')
})

it('the pause between attempts grows up to a minute', () => {
  expect([0, 1, 2, 3, 4, 400].map(pauseAfter)).toEqual([4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
})

it('a post of a visitor is visible as drafts are, one of a member to the member alone', () => {
  expect([null, 'kaede'].map((me) => isVisibleTo(me, unsent('1')))).toEqual([true, true])
  expect([null, 'hanzo', 'kaede'].map((me) => isVisibleTo(me, unsent('1', { owner: 'kaede' })))).toEqual([
    false,
    false,
    true,
  ])
})
