import type { Post } from '@shinobi/contract/posts'
import fc from 'fast-check'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ClockProvider } from '../../lib/clock.tsx'
import { createNewestNumber } from './newest-number.ts'
import { makePost, THREAD_ID } from './post-fixtures.ts'
import { PopoversContext } from './popover-context.ts'
import { postMarkup, usePostMarkup } from './post-markup.ts'
import { PostMenuContext } from './post-menu-context.ts'
import { PostView } from './post-view.tsx'
import { ThreadActionsProvider, type ThreadActions } from './thread-context.ts'

const now = new Date('2026-11-25T00:00:00Z')
const NEWEST = 60

const actions: ThreadActions = {
  threadId: THREAD_ID,
  newest: createNewestNumber(NEWEST),
  findPost: () => undefined,
  posts: () => [],
  goTo: () => {},
  viewImage: () => {},
  extract: () => {},
  hide: () => {},
  reply: () => {},
  write: () => true,
  putBack: () => {},
  opening: null,
}

const byReact = (post: Post, answers: readonly number[] = []): string =>
  renderToString(
    <ClockProvider now={now}>
      <ThreadActionsProvider value={actions}>
        <PopoversContext value={{ open() {}, closeSoon() {}, keep() {}, closeAll() {} }}>
          <PostMenuContext value={() => {}}>
            <PostView post={post} answers={answers} isOwn={false} isFresh={false} />
          </PostMenuContext>
        </PopoversContext>
      </ThreadActionsProvider>
    </ClockProvider>,
  )

const asString = (post: Post, answers: readonly number[] = []): string | null =>
  postMarkup(post, { threadId: THREAD_ID, newest: NEWEST, now, answers })

const piece = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '>>1',
    '>>3-5',
    '＞＞61',
    '>>1,3',
    'https://example.com/?a=1&b="2"',
    'ID:k3x9pQ_a',
    '\n',
    '<b>&amp;\'"',
    '忍',
  ),
  fc.constant(`https://example.com/${'%E5%BF%8D'.repeat(30)}`),
)

const plainPost = fc.record({
  number: fc.integer({ min: 1, max: 1_000 }),
  name: fc.oneof(fc.constant(null), fc.string({ minLength: 1, maxLength: 9 })),
  content: fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => `a${pieces.join('')}`),
  createdAt: fc.date({ min: new Date('2024-01-01'), max: now, noInvalidDate: true }).map((date) => date.toISOString()),
  likes: fc.nat({ max: 20_000 }),
  userId: fc.constantFrom(null, 'u1'),
  staff: fc.boolean(),
  trip: fc.constantFrom(undefined, 'kamiWSbiis', '.Ab/<1'),
  sage: fc.constantFrom(undefined, true as const),
  plainLinks: fc.constantFrom(undefined, true as const),
  spoken: fc.constantFrom(
    {},
    { posterId: 'k3x9pQ_a' },
    { posterId: 'k3x9pQ_a', posterNth: 1, posterTotal: 1 },
    { posterId: 'k3-9pQ_a', posterNth: 2, posterTotal: 7 },
  ),
})

test('the markup of a plain post is the one that React renders and hydrates', () => {
  fc.assert(
    fc.property(plainPost, fc.array(fc.integer({ min: 2, max: 999 }), { maxLength: 3 }), (fields, answers) => {
      const { number, staff, spoken, ...over } = fields
      const post = makePost(number, { ...over, ...spoken, ...(staff && { staff: true as const }) })
      const markup = asString(post, answers)
      fc.pre(markup !== null)
      expect(markup).toBe(byReact(post, answers))
    }),
  )
})

test('of many answers all are counted and the first ones linked', () => {
  const many = Array.from({ length: 60 }, (_, index) => index + 2)
  const markup = asString(makePost(1), many)
  expect(markup).toBe(byReact(makePost(1), many))
  expect(markup).toContain('返信 <!-- -->60')
  expect(markup).toContain('&gt;&gt;51 ')
  expect(markup).not.toContain('&gt;&gt;52 ')
})

test('what is more than text is left to React: images, long texts, art, removed and folded posts', () => {
  const art = '　 ∧＿∧\n　 （´∀｀）'
  expect(asString(makePost(1, { imageUrl: '/images/1.webp' }))).toBeNull()
  expect(asString(makePost(1, { content: '行\n'.repeat(40) }))).toBeNull()
  expect(asString(makePost(1, { content: art }))).toBeNull()
  expect(asString(makePost(1, { content: '', deleted: true }))).toBeNull()
  expect(asString(makePost(1, { folded: true }))).toBeNull()
  expect(asString(makePost(1))).not.toBeNull()
})

test('the opening post of a news thread, which shows its summary, is left to React', () => {
  const markups: (string | null)[] = []
  function Probe() {
    const markupOf = usePostMarkup(false)
    markups.push(markupOf(makePost(1), undefined), markupOf(makePost(2), undefined))
    return null
  }
  renderToString(
    <ClockProvider now={now}>
      <ThreadActionsProvider value={{ ...actions, opening: { name: '自動要約', Text: ({ children }) => children } }}>
        <Probe />
      </ThreadActionsProvider>
    </ClockProvider>,
  )
  expect(markups).toEqual([null, asString(makePost(2))])
})
