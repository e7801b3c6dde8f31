import type { Post } from '@shinobi/contract/posts'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ClockProvider } from '../../lib/clock.tsx'
import { createNewestNumber } from './newest-number.ts'
import { ThreadActionsProvider, type ThreadActions } from './thread-context.ts'
import { usePostKey } from './use-post-key.ts'

const post = { _id: 'p2', threadId: 't', number: 2, content: '>>1 忍', name: null, likes: 0, deleted: false } as Post

interface Place {
  readonly post?: Post
  readonly answers?: readonly number[]
  readonly newest?: number
  readonly isLocked?: boolean
  readonly isNews?: boolean
  readonly year?: number
}

function keyOf({ isLocked = false, isNews = false, newest = 9, year = 2026, ...place }: Place = {}): string | null {
  let key: string | null = null
  function Probe() {
    key = usePostKey()(place.post ?? post, place.answers)
    return null
  }
  const actions: ThreadActions = {
    threadId: 't',
    newest: createNewestNumber(newest),
    findPost: () => undefined,
    posts: () => [],
    goTo: () => {},
    viewImage: () => {},
    extract: () => {},
    hide: () => {},
    reply: isLocked ? null : () => {},
    opening: isNews ? { name: '自動要約', Text: ({ children }) => children } : null,
  }
  renderToString(
    <ClockProvider now={new Date(`${year}-06-01T00:00:00Z`)}>
      <ThreadActionsProvider value={actions}>
        <Probe />
      </ThreadActionsProvider>
    </ClockProvider>,
  )
  return key
}

test('whatever a post shows changes its key', () => {
  const keys = [
    keyOf(),
    keyOf({ post: { ...post, likes: 1 } }),
    keyOf({ post: { ...post, content: '', deleted: true } }),
    keyOf({ answers: [3] }),
    keyOf({ isLocked: true }),
    keyOf({ year: 2027 }),
  ]
  expect(new Set(keys).size).toBe(keys.length)
})

test('a new post changes only the keys of posts that name later ones', () => {
  expect(keyOf({ newest: 10 })).toBe(keyOf({ newest: 9 }))
  const ahead = { ...post, content: '>>10を踏んだ人が次スレ' }
  expect(keyOf({ post: ahead, newest: 10 })).not.toBe(keyOf({ post: ahead, newest: 9 }))
})

test('the opening post of a news thread has no key', () => {
  expect(keyOf({ post: { ...post, number: 1 }, isNews: true })).toBeNull()
  expect(keyOf({ isNews: true })).not.toBeNull()
})
