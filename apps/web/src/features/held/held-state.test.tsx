import { messages } from '@shinobi/contract/messages'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { HeldItem } from './held.ts'
import { HeldState } from './held-state.tsx'

const itemOf = (kind: HeldItem['kind'], status: HeldItem['status']): HeldItem => ({
  ...{ id: 'a', kind, status, place: 'p', name: '忍', title: '話', content: '長い話' },
  ...{ hasImage: false, owner: null, at: 0 },
})

const expired = { post: messages.held_post_expired, thread: messages.held_thread_expired }
test.each(['post', 'thread'] as const)('the writer of a %s that is not published can rewrite or close it', (kind) => {
  const show = (status: HeldItem['status']) => {
    const html = renderToStaticMarkup(<HeldState item={itemOf(kind, status)} onRewrite={() => {}} />)
    const buttons = Array.from(html.matchAll(/<button.*?<\/button>/gs), ([button]) => button.replaceAll(/<.*?>/gs, ''))
    return { html, buttons }
  }
  expect(show('waiting').buttons).toEqual(['取り下げる'])
  for (const [status, words] of [['rejected', messages.held_rejected] as const, ['expired', expired[kind]] as const]) {
    const { html, buttons } = show(status)
    expect(html).toContain(words)
    expect(buttons).toEqual(['書き直す', '閉じる'])
  }
})
