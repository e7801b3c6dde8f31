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
  const head = renderHead({ ...meta, image: '/images/a.webp' }, site)
  expect(head).toContain('href="https://x.example/thread/1"')
  expect(head).toContain('content="https://x.example/images/a.webp"')
})
