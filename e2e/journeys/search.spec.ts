/** Searching: why a thread was found, filters, and the search in one thread. */
import type { Locator } from '@playwright/test'
import { messages } from '@shinobi/contract/messages'
import { startThread, writePost, writePosts } from '../board.ts'
import { expect, postOf, repeatUntil, rowOf, test, untilFound } from '../test.ts'

test('a list that was searched says why, and leads to the post in the middle of its thread', async ({
  page,
  board,
}) => {
  const thread = await startThread(board, { title: '城下の噂を集める', content: '何でもどうぞ', category: 'world' })
  await writePosts(board, thread._id, 78)
  await writePost(board, thread._id, 'きのう川べりでﾊﾔﾃﾏﾙを見た')
  await writePosts(board, thread._id, 30)
  await writePost(board, thread._id, 'ハヤテマルは速い')
  await startThread(board, { title: '疾風丸（はやてまる）の伝説', content: '誰も知らない', category: 'world' })
  await untilFound(board, `/api/threads?search=${encodeURIComponent('はやてまる 伝説')}`)
  await page.goto(`${board.url}/categories/world?search=${encodeURIComponent('はやてまる')}`)

  const found = page.getByRole('listitem').filter({ has: rowOf(page, '城下の噂を集める') })
  await expect(found.getByText('2件')).toBeVisible()
  await expect(found.locator('mark')).toHaveText('ﾊﾔﾃﾏﾙ')
  const titled = page.getByRole('listitem').filter({ has: rowOf(page, '疾風丸（はやてまる）の伝説') })
  await expect(titled.locator('mark')).toHaveText('はやてまる')

  await found.getByRole('link', { name: /80番の書き込みへ/ }).click()
  await expect(page).toHaveURL(/after=50#80$/)
  await expect(postOf(page, 80)).toBeInViewport()
  await page.goBack()
  await expect(found.locator('mark')).toBeVisible()
})

test('a search is narrowed by its filters, which are in the address', async ({ page, board }) => {
  const thread = await startThread(board, { title: '武具の手入れ', content: '鎖帷子は油で磨く', category: 'economy' })
  await startThread(board, { title: '古道具の市', content: '鎖帷子を売る', category: 'rant', nickname: 'ｶｹﾞﾏﾙ' })
  const named = `&name=${encodeURIComponent('かげまる')}`
  await untilFound(board, `/api/threads?search=${encodeURIComponent('鎖帷子')}${named}`)
  await page.goto(`${board.url}/?search=${encodeURIComponent('鎖帷子')}`)
  await expect(rowOf(page, thread.title)).toBeVisible()
  const opener = page.getByRole('button', { name: '絞り込み' })
  await repeatUntil(
    async () => {
      if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click()
    },
    (patience) => expect(page.getByLabel('書いた人の名前')).toBeVisible(patience),
  )
  await page.getByLabel('書いた人の名前').fill('かげまる')
  await page.getByRole('button', { name: '絞り込む' }).click()
  await expect(page).toHaveURL(/name=/)
  await expect(rowOf(page, thread.title)).toBeHidden()
  await expect(rowOf(page, '古道具の市')).toBeVisible()

  await page.getByLabel('期間').selectOption('day')
  await expect(page).toHaveURL(/within=day/)
  await expect(page.getByText('24時間以内・名前「かげまる」')).toBeVisible()
  await page.getByLabel('画像あり').check()
  await expect(page.getByText('該当するスレッドが見つかりませんでした')).toBeVisible()
  await page.getByRole('link', { name: '解除' }).click()
  await expect(rowOf(page, thread.title)).toBeVisible()
  await expect(opener).toBeFocused()
  await page.getByRole('combobox', { name: 'カテゴリ' }).selectOption('rant')
  await expect(page).toHaveURL(/\/categories\/rant\?search=/)
  await expect(rowOf(page, '古道具の市')).toBeVisible()
  await expect(rowOf(page, thread.title)).toBeHidden()
})

test('the search that is shown lies over nothing, on the board and in a category', async ({ page, board }) => {
  for (const path of ['/', '/categories/world']) {
    await page.goto(`${board.url}${path}?search=${encodeURIComponent('巻物')}`)
    await expect(page.getByRole('button', { name: '絞り込み' })).toBeVisible()
    const edgesOf = (place: Locator) =>
      place.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect()
        return { top, bottom }
      })
    const form = await edgesOf(page.getByRole('search'))
    const banner = await edgesOf(page.getByRole('banner'))
    const strip = await edgesOf(page.getByRole('complementary', { name: 'カテゴリと急上昇' }))
    expect(form.top).toBeGreaterThanOrEqual(banner.bottom)
    // Beside the list on a wide screen.
    if (page.viewportSize()!.width < 600) expect(strip.top).toBeGreaterThanOrEqual(form.bottom)
    // Its filters have the whole width of the form.
    const leftOf = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().left)
    expect(await leftOf(page.getByRole('button', { name: '絞り込み' }))).toBe(
      await leftOf(page.getByRole('searchbox', { name: 'スレッドを検索' })),
    )
  }
})

test('a tap on the icon of the search opens its field, which takes what is typed', async ({
  page,
  board,
  isMobile,
}) => {
  test.skip(!isMobile, 'wide screens show the field')
  for (const path of ['/', '/categories/world']) {
    await page.goto(board.url + path)
    await page.waitForLoadState('networkidle')
    const field = page.getByRole('searchbox', { name: 'スレッドを検索' })
    await field.tap()
    await expect(field).toBeFocused()
    await page.keyboard.type('鎖帷子')
    await page.getByRole('button', { name: '検索', exact: true }).tap()
    await expect(page).toHaveURL(/search=/)
    await expect(field).toHaveValue('鎖帷子')
  }
})

test('words in posts of a long thread that are not loaded are found, walked through and jumped to', async ({
  page,
  board,
}) => {
  const thread = await startThread(board, { title: '九百六十の夜', content: '長い話を始めよう' })
  await writePosts(board, thread._id, 478)
  await writePost(board, thread._id, '隠し湯はﾐｽﾞｸﾓの先')
  await writePosts(board, thread._id, 419)
  await writePost(board, thread._id, '水蜘蛛とは別の話')
  await writePosts(board, thread._id, 59)
  await writePost(board, thread._id, '最後の水ぐも（みずくも）')
  await untilFound(board, `/api/threads/${thread._id}/posts/search?search=${encodeURIComponent('最後の水ぐも')}`)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 1)).toBeVisible()
  await expect(postOf(page, 480)).toHaveCount(0)

  const opener = page.getByRole('button', { name: 'スレ内を検索' })
  const find = page.getByRole('region', { name: 'スレ内を検索' })
  const field = find.getByRole('searchbox')
  await repeatUntil(
    async () => {
      if (!(await find.isVisible())) await opener.click()
    },
    (patience) => expect(field).toBeFocused(patience),
  )
  await field.fill('みずくも')
  await field.press('Enter')
  await expect(find.getByRole('status')).toHaveText('2件')
  await expect(find.getByRole('listitem')).toHaveCount(2)
  await expect(find.locator('mark').first()).toHaveText('ﾐｽﾞｸﾓ')

  await find.getByRole('link', { name: /^480番/ }).click()
  await expect(postOf(page, 480)).toBeInViewport()
  await expect(find.getByRole('status')).toContainText('1')
  // Not behind the bar.
  await expect(async () => {
    const edge = (await find.boundingBox())!
    expect((await postOf(page, 480).boundingBox())!.y).toBeGreaterThanOrEqual(edge.y + edge.height - 1)
  }).toPass()

  await find.getByRole('button', { name: '次の書き込み' }).click()
  await expect(postOf(page, 960)).toBeInViewport()
  await find.getByRole('button', { name: '前の書き込み' }).click()
  await expect(postOf(page, 480)).toBeInViewport()

  await field.fill('どこにもない言葉')
  await field.press('Enter')
  await expect(find.getByText('このスレッドには見つかりませんでした')).toBeVisible()
  // Which screen readers are told.
  await expect(find.getByRole('status')).toHaveText('0件')
  await field.press('Escape')
  await expect(find).toBeHidden()
  await expect(opener).toBeFocused()
  await expect(postOf(page, 480)).toBeInViewport()
})

test('a search in a thread that fails says so, and the same words can be tried again', async ({ page, board }) => {
  const thread = await startThread(board, { title: '切れた橋', content: '渡れない' })
  await untilFound(board, `/api/threads/${thread._id}/posts/search?search=${encodeURIComponent('渡れない')}`)
  await page.route('**/posts/search?*', (route) => route.abort())
  await page.goto(`${board.url}/thread/${thread._id}`)
  const find = page.getByRole('region', { name: 'スレ内を検索' })
  await repeatUntil(
    async () => {
      if (!(await find.isVisible())) await page.getByRole('button', { name: 'スレ内を検索' }).click()
    },
    (patience) => expect(find).toBeVisible(patience),
  )
  await find.getByRole('searchbox').fill('渡れない')
  await find.getByRole('searchbox').press('Enter')
  await expect(find.getByText(messages.find_failed)).toBeVisible()
  await page.unroute('**/posts/search?*')
  await find.getByRole('searchbox').press('Enter')
  await expect(find.getByRole('status')).toHaveText('1件')
})
