import type { Thread } from '@shinobi/contract/threads'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { threadQuery } from './api.ts'
import { rereadThread } from './reread-thread.ts'

afterEach(() => vi.unstubAllGlobals())

test('a thread is read again under an address that names its known changes', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return Response.json({ title: '新しい題', postCount: 3, revision: 5 })
  })
  const client = new QueryClient()
  const { queryKey } = threadQuery('a')
  client.setQueryData(queryKey, { title: '題', postCount: 4, revision: 6 } as Thread)
  expect(await rereadThread(client, 'a')).toBe(true)
  expect(asked).toEqual(['/api/threads/a?changes=2'])
  expect(client.getQueryData(queryKey)).toMatchObject({ title: '新しい題', postCount: 4, revision: 6 })
})
