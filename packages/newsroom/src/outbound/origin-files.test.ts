import { expect, it } from 'vitest'
import { createOriginFiles } from './origin-files.ts'

/** Files of so many bytes each, and how often they were asked for. */
function keep(size: number) {
  const asked: string[] = []
  const fileOf = createOriginFiles({
    path: '/robots.txt',
    ask: async ({ host }) => {
      asked.push(host)
      return host
    },
    read: (text) => ({ size, text }),
    now: () => 0,
  })
  const ask = (host: string) => fileOf(new URL(`https://${host}/articles/1`))
  return { ask, asked }
}
const hosts = (count: number): string[] => Array.from({ length: count }, (_, at) => `h${at}.example`)

it('the files of hundreds of origins are asked for once', async () => {
  const { ask, asked } = keep(5_000)
  for (const host of [...hosts(400), ...hosts(400)]) expect((await ask(host)).text).toBe(host)
  expect(asked).toEqual(hosts(400))
})

it('of files that are as long as may be, the last ones are remembered, so that they do not fill the memory', async () => {
  const { ask, asked } = keep(500_000)
  for (const host of hosts(100)) await ask(host)
  await ask('h99.example')
  expect(asked).toEqual(hosts(100))
  await ask('h0.example')
  expect(asked).toEqual([...hosts(100), 'h0.example'])
})
