import { expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import { createRenders } from './renders.ts'

it('long renders use up the budget of their source, which is refused, and other sources have their own', async () => {
  let now = 0
  const renders = createRenders(() => now)
  const render = (source: string, milliseconds: number) =>
    renders.run(source, async (inTurn) =>
      inTurn(() => {
        now += milliseconds
        return 'page'
      }),
    )
  for (let count = 0; count < 100; count += 1) expect(await render('203.0.113.9', 5)).toBe('page')
  for (let count = 0; count < 23; count += 1) expect(await render('203.0.113.9', 100)).toBe('page')
  const refused = render('203.0.113.9', 5)
  await expect(refused).rejects.toMatchObject({ message: messages.too_many_requests, status: 429 })
  expect(await render('203.0.113.10', 5)).toBe('page')
})

it('pages that do not exist cost their source twenty milliseconds more each', async () => {
  let now = 0
  const renders = createRenders(() => now)
  const render = () => renders.run('203.0.113.9', async (inTurn) => inTurn(() => void (now += 2)))
  let answered = 0
  for (; answered < 1_000; answered += 1) {
    const isRefused = await render().then(
      () => false,
      () => true,
    )
    if (isRefused) break
    await renders.countMissing('203.0.113.9')
  }
  // 250 of 3,000 are taken in advance.
  expect(answered).toBe(Math.floor((3_000 - 250) / 22) + 1)
})

it('a page costs nothing while it waits for its data', async () => {
  let now = 0
  const renders = createRenders(() => now)
  for (let count = 0; count < 50; count += 1) {
    const page = await renders.run('203.0.113.9', async (inTurn) => {
      now += 2_000
      return inTurn(() => {
        now += 5
        return 'page'
      })
    })
    expect(page).toBe('page')
  }
})

it('serves other requests between two renders', async () => {
  const renders = createRenders(() => 0)
  const done: string[] = []
  const waiting = ['1', '2', '3'].map(async (name) =>
    renders.run('203.0.113.9', async (inTurn) =>
      inTurn(() => {
        done.push(`render ${name}`)
        setImmediate(() => done.push('other'))
      }),
    ),
  )
  await Promise.all(waiting)
  expect(done).toEqual(['render 1', 'other', 'render 2', 'other', 'render 3'])
})

it('four pages of a source wait for their data and twelve for these, and it is refused more', async () => {
  const renders = createRenders(() => 0)
  const data = Promise.withResolvers<void>()
  let begun = 0
  const pages = Array.from({ length: 17 }, async () =>
    renders.run('203.0.113.9', async (inTurn) => {
      begun += 1
      await data.promise
      return inTurn(() => 'page')
    }),
  )
  await expect(pages[16]).rejects.toMatchObject({ message: messages.too_many_requests, status: 429 })
  expect(begun).toBe(4)
  expect(await renders.run('203.0.113.10', async (inTurn) => inTurn(() => 'page'))).toBe('page')
  data.resolve()
  expect(await Promise.all(pages.slice(0, 16))).toEqual(Array.from({ length: 16 }, () => 'page'))
})
