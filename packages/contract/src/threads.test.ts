import { expect, test } from 'vitest'
import { messages } from './messages.ts'
import { memberThreadInput, threadInput } from './threads.ts'

test('a thread without a category is refused with the message that asks for one', () => {
  for (const input of [threadInput, memberThreadInput]) {
    for (const category of [undefined, '']) {
      const { error } = input.safeParse({ title: '今日の話題', content: '草', category })
      expect(error?.issues.map(({ path, message }) => [...path, message])).toEqual([
        ['category', messages.category_required],
      ])
    }
  }
})
