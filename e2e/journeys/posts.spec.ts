import type { Locator, Page } from '@playwright/test'
import { signUp, startThread, writePost, writePosts } from '../board.ts'
import { composerOf, expect, frames, holdScripts, likeOf, logIn, openMenu, postOf, say, test } from '../test.ts'

const menuOf = (page: Page, number: number) => page.getByRole('dialog', { name: `${number}の操作` })
const numberOf = (page: Page, number: number) =>
  postOf(page, number).getByRole('link', { name: String(number), exact: true })

test('a post of one line is compact, also with answers, and its first line says when it was written', async ({
  page,
  board,
  isMobile,
}) => {
  const thread = await startThread(board, { content: '草', nickname: '静かな夜の忍者' })
  await writePost(board, thread._id, '>>1 草')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 1).getByText('返信 1')).toBeVisible()
  await expect(postOf(page, 1).getByRole('time')).toHaveText(/^\d+月\d+日\([日月火水木金土]\) \d\d:\d\d:\d\d$/)
  await expect(page.getByText('自動更新中')).toBeVisible()
  for (const number of [1, 2]) {
    const { height } = (await postOf(page, number).boundingBox())!
    expect(height).toBeLessThanOrEqual(isMobile ? 60 : 72)
  }
  // The number, the time and the ID are on one line. Answers and likes end it; on a phone,
  // where the ID leaves no room for them, they end the first line of the text.
  const centre = async (part: Locator) => {
    const { y, height } = (await part.boundingBox())!
    return y + height / 2
  }
  const post = postOf(page, 1)
  const meta = [
    await centre(numberOf(page, 1)),
    await centre(post.getByRole('time')),
    await centre(post.getByRole('button', { name: /^ID/ })),
  ]
  const marks = [await centre(post.getByRole('button', { name: /^返信/ })), await centre(likeOf(post))]
  const spread = (centres: readonly number[]) => Math.max(...centres) - Math.min(...centres)
  expect(spread(meta)).toBeLessThan(6)
  expect(spread(isMobile ? marks : [...meta, ...marks])).toBeLessThan(6)
})

test('no character before an address turns it round', async ({ page, board }) => {
  const thread = await startThread(board, { content: '\u202ehttps://evil.example/moc.knab//:sptth' })
  await page.goto(`${board.url}/thread/${thread._id}`)
  const address = postOf(page, 1).getByText('https://evil.example/moc.knab//:sptth')
  const [first, second] = await address.evaluate((element) => {
    const text = element.firstChild as Text
    return [0, 1].map((at) => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect().left
    })
  })
  expect(first).toBeLessThan(second!)
})

test('the number opens the actions, which the keyboard reaches and leaves', async ({ page, board }) => {
  const thread = await startThread(board)
  await writePost(board, thread._id, '二つ目')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中')).toBeVisible()
  await numberOf(page, 2).focus()
  await page.keyboard.press('Enter')
  const menu = menuOf(page, 2)
  await expect(menu.getByRole('button', { name: /^返信\s*（2へ）/ })).toBeFocused()
  await expect(numberOf(page, 2)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('link', { name: /リンクをコピー/ })).toBeFocused()
  await page.keyboard.press('End')
  await expect(menu.getByRole('button', { name: /^通報/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('button', { name: /^返信\s*（2へ）/ })).toBeFocused()
  // No key for reading acts behind it.
  await page.keyboard.press('j')
  await expect(menu.getByRole('button', { name: /^返信\s*（2へ）/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(numberOf(page, 2)).toBeFocused()
  await expect(numberOf(page, 2)).not.toHaveAttribute('aria-expanded')

  // A press beside it, or on the number again, closes it as well.
  await openMenu(page, 2)
  await page.getByRole('heading', { level: 1 }).click()
  await expect(menu).toBeHidden()
  await openMenu(page, 2)
  await numberOf(page, 2).click()
  await expect(menu).toBeHidden()

  await (await openMenu(page, 2)).getByRole('button', { name: /返信/ }).click()
  await expect(menu).toBeHidden()
  await expect(composerOf(page)).toHaveValue('>>2\n')
  await expect(composerOf(page)).toBeFocused()
})

test('a dialog opened from the actions gives the focus back to the number', async ({ page, board }) => {
  const thread = await startThread(board)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await (await openMenu(page, 1)).getByRole('button', { name: /通報/ }).click()
  const dialog = page.getByRole('dialog', { name: 'この書き込みを通報' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(numberOf(page, 1)).toBeFocused()
})

test('a long press on the line of a post opens its actions, and scrolling does not', async ({
  page,
  board,
  isMobile,
}) => {
  test.skip(!isMobile, 'a mouse has no long press')
  const thread = await startThread(board)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中')).toBeVisible()
  const box = (await postOf(page, 1).getByRole('time').boundingBox())!
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y = 0) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + 10, y: box.y + box.height / 2 + y }],
    })
  await touch('touchStart')
  await expect(menuOf(page, 1)).toBeVisible()
  await touch('touchEnd')
  await expect(menuOf(page, 1).getByRole('button', { name: /^返信\s*（1へ）/ })).toBeFocused()
  await menuOf(page, 1)
    .getByRole('button', { name: /^返信\s*（1へ）/ })
    .tap()
  await expect(composerOf(page)).toHaveValue('>>1\n')
})

test('with a mouse the actions are beside the post under it, and the keyboard reaches them there', async ({
  page,
  board,
  isMobile,
}) => {
  test.skip(isMobile, 'a touch screen has no hover')
  const thread = await startThread(board)
  await writePost(board, thread._id, '二つ目')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中')).toBeVisible()
  const before = await postOf(page, 2).boundingBox()
  await postOf(page, 2).hover()
  const reply = (number: number) =>
    postOf(page, number).getByRole('button', { name: new RegExp(`^返信\\s*（${number}へ）`) })
  await expect(reply(2)).toBeVisible()
  expect(await postOf(page, 2).boundingBox()).toEqual(before)
  await postOf(page, 1).hover()
  await expect(reply(1)).toBeVisible()
  await expect(reply(2)).toHaveCount(0)

  await numberOf(page, 2).focus()
  await expect(reply(2)).toBeVisible()
  // The ID, which lists the posts of its writer, comes first.
  await page.keyboard.press('Tab')
  await expect(postOf(page, 2).getByRole('button', { name: /^ID/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(reply(2)).toBeFocused()
  await postOf(page, 1).hover()
  await page.keyboard.press('Enter')
  await expect(composerOf(page)).toHaveValue('>>2\n')
})

test('answers open as a tree, also those that are not loaded, each with its own', async ({ page, board }) => {
  const thread = await startThread(board, { content: '問いを立てる' })
  await writePost(board, thread._id, '>>1 一つ目の答え')
  await writePost(board, thread._id, '>>2 その答えへの答え')
  for (let index = 4; index <= 119; index += 1) await writePost(board, thread._id, `話の続き${index}`)
  await writePost(board, thread._id, '>>3 ずっと後の答え')
  await writePost(board, thread._id, '>>1 ずっと後の二つ目の答え')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中')).toBeVisible()
  await postOf(page, 1)
    .getByRole('button', { name: /^返信 2/ })
    .click()
  const slip = page.getByRole('dialog', { name: '1への返信' })
  await expect(slip).toBeFocused()
  await expect(slip).toContainText('一つ目の答え')
  await expect(slip).toContainText('ずっと後の二つ目の答え')
  await expect(slip).toContainText('その答えへの答え')
  await expect(slip).toContainText('ずっと後の答え')
  const count = slip.getByRole('button', { name: /^返信 1\s*件（3への/ })
  await count.click()
  await expect(count).toHaveAttribute('aria-expanded', 'false')
  await expect(slip.getByText('ずっと後の答え')).toBeHidden()
  await count.click()
  await expect(slip.getByText('ずっと後の答え')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(slip).toBeHidden()
  await expect(postOf(page, 1).getByRole('button', { name: /^返信 2/ })).toBeFocused()

  await postOf(page, 1)
    .getByRole('button', { name: /^返信 2/ })
    .click()
  await slip.getByRole('link', { name: '120へ移動' }).click()
  await expect(postOf(page, 120)).toBeInViewport()
  await expect(slip).toBeHidden()
})

test('answers are counted while posts stream in, also for a reader far from the newest one', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  await writePosts(board, thread._id, 60)
  const release = await holdScripts(page)
  await page.goto(`${board.url}/thread/${thread._id}`, { waitUntil: 'commit' })
  await expect(page.getByRole('contentinfo')).toBeAttached()
  // The page has been rendered without it, and is not told of it.
  await writePost(board, thread._id, '>>3 見逃される答え')
  release()
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  let isBusy = true
  const stream = async () => {
    while (isBusy) {
      await writePost(board, thread._id, '流れる話')
      await frames(page, 20)
    }
  }
  const ended = stream()
  try {
    await expect(postOf(page, 3).getByRole('button', { name: /^返信 1/ })).toBeVisible()
    await writePost(board, thread._id, '>>4 流れの中の答え')
    await expect(postOf(page, 4).getByRole('button', { name: /^返信 1/ })).toBeVisible()
  } finally {
    isBusy = false
    await ended
  }
})

test('an own post is marked and named, and a like is at the end of its line', async ({ page, context, board }) => {
  const thread = await startThread(board)
  await logIn(context, board, await signUp(board))
  await page.goto(`${board.url}/thread/${thread._id}`)
  await say(page, '会員の一言')
  await expect(postOf(page, 2)).toHaveAccessibleName(/自分の書き込み/)
  await likeOf(postOf(page, 2)).click()
  await expect(likeOf(postOf(page, 2))).toHaveAccessibleName(/天照/)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the number links to the post, and answers are links', async ({ page, board }) => {
    const thread = await startThread(board)
    await writePost(board, thread._id, '>>1 一つ目')
    await writePost(board, thread._id, '>>1 二つ目')
    await page.goto(`${board.url}/thread/${thread._id}`)
    for (const number of [2, 3]) {
      await expect(postOf(page, 1).getByRole('link', { name: `>>${number}`, exact: true })).toHaveAttribute(
        'href',
        `/thread/${thread._id}#${number}`,
      )
    }
    await expect(postOf(page, 1).getByRole('button', { name: /返信/ })).toBeHidden()
    await expect(numberOf(page, 2)).toHaveAttribute('href', `/thread/${thread._id}#2`)
  })
})
