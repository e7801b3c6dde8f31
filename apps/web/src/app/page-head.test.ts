import { expect, test } from 'vitest'
import { renderHead } from './page-head.tsx'

const site = {
  publicUrl: 'https://x.example',
  contactEmail: null,
  version: null,
  sourceUrl: '',
  hostingBadge: null,
  googleClientId: null,
  sendsMail: false,
}
const meta = { title: '"><script>', description: '<b>&', path: '/thread/1' }

test('a title cannot break out of its tag or attribute', () => {
  const head = renderHead({ ...meta, jsonLd: { name: '</script><script>alert(1)' } }, site)
  expect(head).toContain('<title data-head="">&#34;&#62;&#60;script&#62; | 忍板</title>')
  expect(head.match(/<script/g)).toHaveLength(1)
  expect(head.match(/<\/script>/g)).toHaveLength(1)
})

test('addresses for canonical and Open Graph are absolute', () => {
  const head = renderHead({ ...meta, card: '/og/1.png' }, site)
  expect(head).toContain('href="https://x.example/thread/1"')
  expect(head).toContain('content="https://x.example/og/1.png"')
})

test('cards are described with their size, that of a thread with its title', () => {
  const card = renderHead(meta, site)
  expect(card).toContain('<meta property="og:image" content="https://x.example/og.png"')
  expect(card).toContain('<meta property="og:image:width" content="1200"')
  expect(card).toContain('<meta property="og:image:height" content="630"')
  expect(card).toContain('<meta property="og:image:alt" content="忍板"')
  const ofThread = renderHead({ title: '月見', description: '', path: '/thread/1', card: '/og/1.png' }, site)
  expect(ofThread).toContain('<meta property="og:image:width" content="1200"')
  expect(ofThread).toContain('<meta property="og:image:alt" content="月見 | 忍板"')
  expect(ofThread).toContain('<meta name="twitter:card" content="summary_large_image"')
})
