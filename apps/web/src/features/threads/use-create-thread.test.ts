import { messages } from '@shinobi/contract/messages'
import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api-client.ts'
import { failureMessage, findThreadProblems } from './use-create-thread.ts'

const draft = { title: '今日の話題', content: '草', nickname: '', category: 'general' }

test('a draft with a title, a text and a category is valid, with or without a nickname', () => {
  expect(findThreadProblems(draft)).toEqual({})
  expect(findThreadProblems({ ...draft, nickname: '忍者' })).toEqual({})
})

test('each empty field gets its own message', () => {
  expect(findThreadProblems({ ...draft, title: '　', content: '\n' })).toEqual({
    title: messages.title_required,
    content: messages.content_required,
  })
  expect(findThreadProblems({ ...draft, content: ' ' })).toEqual({ content: messages.content_required })
})

test('a draft without a category gets the message that asks for one', () => {
  expect(findThreadProblems({ ...draft, category: '' })).toEqual({ category: 'カテゴリを選んでください。' })
})

test('lengths are counted in visible characters', () => {
  expect(findThreadProblems({ ...draft, title: '👨‍👩‍👧' })).toEqual({ title: messages.title_too_short })
  expect(findThreadProblems({ ...draft, title: 'か\u3099'.repeat(100) })).toEqual({})
})

test("a failure shows the server's reason, that it is unknown, or that the connection failed", () => {
  const refused = new ApiError(400, 'banned_word', messages.banned_word, { fromServer: true })
  expect(failureMessage(refused)).toBe(`エラー: ${messages.banned_word}`)
  for (const fromServer of [true, false])
    expect(failureMessage(new ApiError(500, 'unexpected', messages.unexpected, { fromServer }))).toBe(
      messages.thread_create_unknown,
    )
  expect(failureMessage(new ApiError(0, 'network', messages.network))).toBe(messages.thread_create_network)
})
