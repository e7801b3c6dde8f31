import { expect, it } from 'vitest'
import { createOriginFiles } from './origin-files.ts'

/** Files of a given size, and how often they were requested. */
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

it('the files of hundreds of origins are requested once each', async () => {
  const { ask, asked } = keep(5_000)
  for (const host of [...hosts(400), ...hosts(400)]) expect((await ask(host)).text).toBe(host)
  expect(asked).toEqual(hosts(400))
})

it('only the latest of files of maximum size are cached, so that they do not fill the memory', async () => {
  const { ask, asked } = keep(500_000)
  for (const host of hosts(100)) await ask(host)
  await ask('h99.example')
  expect(asked).toEqual(hosts(100))
  await ask('h0.example')
  expect(asked).toEqual([...hosts(100), 'h0.example'])
})
