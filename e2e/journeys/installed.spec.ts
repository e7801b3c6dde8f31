/** What an installed board offers, and what other apps share with it. */
import sharp from 'sharp'
import { expect, test } from '../test.ts'

interface Manifest {
  readonly name: string
  readonly display: string
  readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose: string }[]
  readonly screenshots: readonly { readonly src: string; readonly sizes: string }[]
  readonly shortcuts: readonly { readonly name: string; readonly url: string }[]
}

test('the manifest that a page names has icons and screenshots of the sizes it says, and screens that exist', async ({
  page,
  board,
}) => {
  await page.goto(`${board.url}/about`)
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = (await (await page.request.get(board.url + href)).json()) as Manifest
  expect(manifest).toMatchObject({ name: '忍板', display: 'standalone' })
  expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable')
  for (const { src, sizes } of [...manifest.icons, ...manifest.screenshots]) {
    const answer = await page.request.get(board.url + src)
    expect([src, answer.status()]).toEqual([src, 200])
    const { width, height } = await sharp(await answer.body()).metadata()
    if (sizes !== 'any') expect([src, `${width}x${height}`]).toEqual([src, sizes])
  }
  expect(manifest.shortcuts.map(({ name }) => name)).toEqual(['一覧', '作成', '帳面'])
  for (const { url } of manifest.shortcuts) expect((await page.request.get(board.url + url)).status()).toBe(200)
})

test('what is shared becomes a draft, as text and cut to the limits, and nothing is posted', async ({
  page,
  board,
}) => {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const before = await (await page.request.get(`${board.url}/api/threads`)).text()
  const shared = new URLSearchParams({
    title: `<img src=x onerror=alert(1)>${'忍'.repeat(300)}`,
    text: '"><script>alert(1)</script>',
    url: 'https://example.jp/記事?a=1&b=2',
  })
  await page.goto(`${board.url}/create?${shared}`)
  const title = page.getByLabel(/^タイトル/)
  const content = page.getByLabel(/^内容/)
  await expect(content).toHaveValue('"><script>alert(1)</script>\nhttps://example.jp/記事?a=1&b=2')
  await expect(title).toHaveValue(/^<img src=x onerror=alert\(1\)>忍+…$/)
  expect([...(await title.inputValue())].length).toBeLessThanOrEqual(100)
  await expect(page).toHaveURL(`${board.url}/create`)

  // An edited draft survives a reload, and a second share adds to it.
  await title.fill('わたしの題')
  await page.goto(`${board.url}/create?text=${encodeURIComponent('もう一つ')}`)
  await expect(title).toHaveValue('わたしの題')
  await expect(content).toHaveValue(/記事\?a=1&b=2\nもう一つ$/)
  expect(dialogs).toEqual([])
  expect(await (await page.request.get(`${board.url}/api/threads`)).text()).toBe(before)
})
