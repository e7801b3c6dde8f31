import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { beforeAll, expect, it } from 'vitest'
import manifest from '../../../../package.json' with { type: 'json' }
import { openBoard } from '../testing/board.ts'
import { ask } from '../testing/wire.ts'
import { loadWebBundle, type WebBundle } from './pages.ts'

let bundle: WebBundle | null
beforeAll(async () => {
  bundle = await loadWebBundle()
})

async function unpack(bytes: Buffer): Promise<string[]> {
  const paths: string[] = []
  const files = Readable.from([bytes]).pipe(createGunzip()).pipe(extract())
  for await (const file of files) {
    paths.push(file.header.name)
    file.resume()
  }
  return paths
}

it('offers the complete source of the running version, without data or secrets, and links to it by default', async () => {
  const board = await openBoard({}, undefined, undefined, bundle)
  const url = await board.listen()
  const answer = await ask(`${url}/source.tar.gz`, { headers: { 'accept-encoding': 'gzip, br' } })
  expect([answer.status, answer.headers['content-type'], answer.headers['content-encoding']]).toEqual([
    200,
    'application/gzip',
    undefined,
  ])
  const name = `shinobi-ita-${manifest.version}`
  expect(answer.headers['content-disposition']).toBe(`attachment; filename="${name}.tar.gz"`)
  const paths = await unpack(answer.bytes)
  for (const path of [
    'package.json',
    'package-lock.json',
    'LICENSE',
    'apps/server/src/main.ts',
    'apps/web/src/entry-client.tsx',
  ])
    expect(paths).toContain(`${name}/${path}`)
  expect(paths.filter((path) => /(^|\/)(\.env|data|dist|node_modules|\.git)(\/|$)/.test(path))).toEqual([])

  const again = await ask(`${url}/source.tar.gz`, { headers: { 'if-none-match': answer.headers['etag']! } })
  expect([again.status, again.bytes.length]).toEqual([304, 0])
  const about = String((await ask(`${url}/about`)).bytes)
  expect(about.match(/href="\/source\.tar\.gz"/g)?.length).toBeGreaterThanOrEqual(3)
  expect(about).not.toContain('github.com')
  await board.close()
})

it('links to SOURCE_URL where it is set, and offers no archive', async () => {
  const board = await openBoard({ SOURCE_URL: 'https://git.example.jp/board' }, undefined, undefined, bundle)
  const url = await board.listen()
  expect((await ask(`${url}/source.tar.gz`)).status).toBe(404)
  const about = String((await ask(`${url}/about`)).bytes)
  expect(about).toContain('href="https://git.example.jp/board"')
  expect(about).not.toContain('source.tar.gz')
  await board.close()
})
