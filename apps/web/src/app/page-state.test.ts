import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { fillQueries, parseState, portableErrors, readQueries, serializeState } from './page-state.ts'

const site = {
  publicUrl: 'https://x.example',
  contactEmail: null,
  version: null,
  sourceUrl: '',
  hostingBadge: null,
  googleClientId: null,
  sendsMail: false,
}

test('text of visitors cannot break out of the data block, and is parsed unchanged', () => {
  const title = '</script><script>alert(1)</script>&\u2028\u2029<!--'
  const queryClient = new QueryClient()
  queryClient.setQueryData(['thread'], { title })
  const state = {
    site,
    session: null,
    now: '',
    queries: readQueries(queryClient),
    deferred: [],
    router: { loaderData: {}, errors: null },
  }
  const text = serializeState(state)
  expect(text).not.toMatch(/[<>&\u2028\u2029]/)
  const other = new QueryClient()
  fillQueries(other, parseState(text)?.queries ?? [])
  expect(other.getQueryData(['thread'])).toEqual({ title })
})

test('the placeholder of an unrendered shell is parsed as null', () => {
  expect(parseState('<!--state-->')).toBeNull()
  expect(parseState('')).toBeNull()
})

test('an unexpected error is sent without its message', () => {
  const travelled = JSON.stringify(portableErrors({ '0-0': new Error('password of the database') }))
  expect(travelled).not.toContain('password')
  expect(travelled).toContain('500')
})
