import { expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import { createRenders } from './renders.ts'

it('long renders use up the budget of their source, which is refused, and other sources have their own', async () => {
  let now = 0
  const renders = createRenders(() => now)
  const render = (source: string, milliseconds: number) =>
    renders.run(source, async () => {
      now += milliseconds
      return 'page'
    })
  for (let count = 0; count < 100; count += 1) expect(await render('203.0.113.9', 5)).toBe('page')
  for (let count = 0; count < 23; count += 1) expect(await render('203.0.113.9', 100)).toBe('page')
  const refused = render('203.0.113.9', 5)
  await expect(refused).rejects.toMatchObject({ message: messages.too_many_requests, status: 429 })
  expect(await render('203.0.113.10', 5)).toBe('page')
})

it('a render costs only what follows its last wait', async () => {
  let now = 0
  const renders = createRenders(() => now)
  for (let count = 0; count < 50; count += 1) {
    const page = await renders.run('203.0.113.9', async (waited) => {
      now += 2_000
      waited()
      now += 5
      return 'page'
    })
    expect(page).toBe('page')
  }
})

it('serves other requests between two renders that wait for nothing', async () => {
  const renders = createRenders(() => 0)
  const done: string[] = []
  const waiting = ['1', '2', '3'].map(async (name) =>
    renders.run('203.0.113.9', async () => {
      done.push(`render ${name}`)
      setImmediate(() => done.push('other'))
    }),
  )
  await Promise.all(waiting)
  expect(done).toEqual(['render 1', 'other', 'render 2', 'other', 'render 3'])
})
