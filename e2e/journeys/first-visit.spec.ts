import type { Page } from '@playwright/test'
import { CHUNK_TIMEOUT_MS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import sharp from 'sharp'
import { startThread } from '../board.ts'
import {
  composerOf,
  enterThread,
  expect,
  holdScripts,
  postOf,
  postsOf,
  repeatUntil,
  rowOf,
  saidOnPage,
  say,
  test,
  untilScripted,
} from '../test.ts'

const picture = () =>
  sharp({ create: { width: 1200, height: 800, channels: 3, background: '#0f766e' } })
    .png()
    .toBuffer()

test('a visitor browses the categories, creates a thread with an image, finds it and posts in it @both', async ({
  page,
  board,
}) => {
  await page.goto(board.url)
  await expect(page.getByRole('heading', { level: 1, name: 'スレッド一覧' })).toBeVisible()
  await page.goto(`${board.url}/categories`)
  await page.getByRole('link', { name: /世界のできごと/ }).click()
  await expect(page).toHaveTitle(/国際/)

  await page.getByRole('link', { name: 'スレッドを作成' }).last().click()
  await page.getByLabel(/タイトル/).fill('海の向こうの月見の話')
  await page.getByLabel(/内容/).fill('どこで見る月が\nいちばん好き？')
  await page.getByLabel(/ニックネーム/).fill('旅の忍者')
  // Unlike a visitor, the test can fill the field before the script offers it.
  await untilScripted(page)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'moon.png', mimeType: 'image/png', buffer: await picture() })
  await expect(page.getByRole('img', { name: '添付する画像のプレビュー' })).toBeVisible()
  await page.getByRole('combobox', { name: /カテゴリ/ }).selectOption({ label: '🌏 国際' })
  await page.getByRole('button', { name: /作成|立てる/ }).click()

  await expect(page).toHaveURL(/\/categories\/world$/)
  await page.getByRole('article').getByRole('link', { name: '海の向こうの月見の話' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('海の向こうの月見の話')
  await expect(postOf(page, 1)).toContainText('どこで見る月が')
  // Its dimensions are known before it has loaded, so the layout does not shift.
  await expect(postOf(page, 1).getByRole('img')).toHaveAttribute('width', /^\d+$/)
  await expect(postOf(page, 1).getByRole('img')).toHaveAttribute('height', /^\d+$/)

  await say(page, '縁側がいちばん')
  await expect(postOf(page, 2)).toContainText('縁側がいちばん')
  await expect(postOf(page, 2)).toContainText('自分の書き込み')
  await expect(composerOf(page)).toHaveValue('')
})

test('a thread without title or text is refused in Japanese, and keeps what was typed', async ({ page, board }) => {
  await page.goto(`${board.url}/create`)
  const submit = page.getByRole('button', { name: /作成|立てる/ })
  const told = saidOnPage(page, messages.title_and_content_required)
  await submit.click()
  await told
  await expect(page.getByLabel(/タイトル/)).toBeFocused()
  // Each field shows what it lacks, until it is filled.
  const problem = (message: string) => page.getByText(message, { exact: true })
  await expect(problem(messages.title_required)).toBeVisible()
  await expect(problem(messages.content_required)).toBeVisible()
  await expect(page.getByText(messages.title_and_content_required)).toBeHidden()
  await page.getByLabel(/タイトル/).fill('月')
  await expect(problem(messages.title_required)).toBeHidden()
  await expect(problem(messages.content_required)).toBeVisible()
  await page.getByLabel(/内容/).fill('短い題名')
  await submit.click()
  await expect(page.getByText('タイトルは3文字以上で入力してください').first()).toBeVisible()
  await expect(page.getByLabel(/内容/)).toHaveValue('短い題名')
})

test('a thread submitted before the script runs is created when it runs, with everything that was typed', async ({
  page,
  board,
}) => {
  const runScripts = await holdScripts(page)
  await page.goto(`${board.url}/create?category=economy`, { waitUntil: 'commit' })
  await page.getByLabel(/タイトル/).fill('細い線のむこうから')
  await page.getByLabel(/内容/).fill('まだ読み込みの途中です')
  await page.getByRole('combobox', { name: /カテゴリ/ }).selectOption({ label: '🏛️ 政治' })
  await page.getByRole('button', { name: 'スレッドを作成' }).click()
  await expect(page).toHaveURL(/\/create\?category=economy$/)
  runScripts()
  await expect(page).toHaveURL(/\/categories\/politics$/)
  await rowOf(page, '細い線のむこうから').click()
  await expect(postOf(page, 1)).toContainText('まだ読み込みの途中です')
})

test('a post submitted before the script runs is sent when it runs, if a name is set', async ({ page, board }) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  const runScripts = await holdScripts(page)
  await page.reload({ waitUntil: 'commit' })
  await say(page, 'まだ読み込みの途中です')
  await expect(composerOf(page)).toHaveValue('まだ読み込みの途中です')
  runScripts()
  await expect(postOf(page, 2)).toContainText('まだ読み込みの途中です')
  await expect(composerOf(page)).toHaveValue('')
})

test('a post submitted before the script runs asks for a name first if none is set, and is then sent', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  const runScripts = await holdScripts(page)
  await page.goto(`${board.url}/thread/${thread._id}`, { waitUntil: 'commit' })
  await say(page, '名乗る前に書きました')
  runScripts()
  const dialog = page.getByRole('dialog', { name: 'ニックネームを決める' })
  await dialog.getByLabel('ニックネーム').fill('早手の影')
  await dialog.getByRole('button', { name: 'この名前で書き込む' }).click()
  await expect(postOf(page, 2)).toContainText('名乗る前に書きました')
  await expect(postOf(page, 2)).toContainText('早手の影')
})

/**
 * Submits the form with this field at the moment when the running script reads its fields: it knows
 * the form then, and not yet what was typed.
 */
const submitWhileRead = (page: Page, field: string): Promise<unknown> =>
  page.addInitScript((name) => {
    const read = Storage.prototype.getItem
    Storage.prototype.getItem = function (key) {
      if (key.startsWith('draft:')) {
        Storage.prototype.getItem = read
        document.querySelector<HTMLTextAreaElement>(`[name="${name}"]`)!.form!.requestSubmit()
      }
      return read.call(this, key)
    }
  }, field)

test('a thread submitted while the script reads what was typed is created @both', async ({ page, board }) => {
  const runScripts = await holdScripts(page)
  await submitWhileRead(page, 'title')
  await page.goto(`${board.url}/create`, { waitUntil: 'commit' })
  await page.getByLabel(/タイトル/).fill('受け渡しのさなかに')
  await page.getByLabel(/内容/).fill('読み取られる前に送ります')
  runScripts()
  await rowOf(page, '受け渡しのさなかに').click()
  await expect(postOf(page, 1)).toContainText('読み取られる前に送ります')
})

test('a post submitted while the script reads what was typed is sent @both', async ({ page, board }) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  const runScripts = await holdScripts(page)
  await submitWhileRead(page, 'content')
  await page.reload({ waitUntil: 'commit' })
  await composerOf(page).fill('読み取られる前に送ります')
  runScripts()
  await expect(postOf(page, 2)).toContainText('読み取られる前に送ります')
  await expect(composerOf(page)).toHaveValue('')
})

test('yesterday’s draft and text typed before the script runs are both kept, and not sent without a review', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  await composerOf(page).fill('昨日の書きかけ')
  const runScripts = await holdScripts(page)
  await page.reload({ waitUntil: 'commit' })
  await say(page, '今日の続き')
  runScripts()
  await expect(composerOf(page)).toHaveValue('昨日の書きかけ\n今日の続き')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postOf(page, 2)).toContainText('昨日の書きかけ 今日の続き')
})

test('a page whose script fails to load says so, and a reload keeps what was typed', async ({ page, board }) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  const scripts = '**/assets/*.js'
  await page.route(scripts, (route) => route.abort())
  await page.reload()
  const alert = page.getByRole('alert').filter({ hasText: '画面の一部を読み込めませんでした' })
  await expect(alert).toBeVisible()
  await composerOf(page).fill('届かない頁から')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await page.unroute(scripts)
  await alert.getByRole('button', { name: '読み込み直す' }).click()
  await expect(alert).toBeHidden()
  await expect(composerOf(page)).toHaveValue('届かない頁から')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postOf(page, 2)).toContainText('届かない頁から')
})

test('a page whose own part of the script fails to load says so as well', async ({ page, board, complaints }) => {
  await page.route(/assets\/categories-page.*js/, (route) => route.abort())
  await page.goto(`${board.url}/categories`)
  await expect(page.getByRole('alert').filter({ hasText: '画面の一部を読み込めませんでした' })).toBeVisible()
  // The browser reports the error to the console independently of the page, perhaps earlier.
  await expect.poll(() => complaints).toEqual([expect.stringContaining('Failed to fetch dynamically imported module')])
  complaints.splice(0)
})

test('a page whose part of the script takes longer than two minutes shows the error, and a retry requests it again', async ({
  page,
  board,
}) => {
  await page.clock.install()
  let asked = 0
  // The request neither succeeds nor fails.
  await page.route(/about-page-.*\.js/, () => {
    asked += 1
  })
  const errorScreen = page.waitForResponse(/error-page-.*\.js/)
  await page.goto(board.url)
  await untilScripted(page)
  // Loaded ahead, within seconds of this clock.
  await page.evaluate((url) => import(url).then(() => {}), (await errorScreen).url())
  await page.getByRole('contentinfo').getByRole('link', { name: '案内' }).click()
  await expect.poll(() => asked).toBe(1)
  await page.clock.fastForward(CHUNK_TIMEOUT_MS - 30_000)
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toBeHidden()
  await page.clock.fastForward(30_000)
  await expect(alert).toContainText(messages.unexpected)
  await page.unroute(/about-page-.*\.js/)
  const again = page.waitForRequest(/about-page-.*\.js/)
  await alert.getByRole('button', { name: 'もう一度試す' }).click()
  await again
  await expect(page.getByRole('heading', { level: 1, name: '忍板について' })).toBeVisible()
  await expect(page.locator('.reload-offer')).toBeHidden()
})

test('a script that has not started within two minutes is treated as failed', async ({ page, board }) => {
  await page.clock.install()
  const scripts = '**/assets/*.js'
  await page.route(scripts, () => {})
  await page.goto(board.url, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.clock.fastForward(CHUNK_TIMEOUT_MS - 30_000)
  const alert = page.getByRole('alert').filter({ hasText: '画面の一部を読み込めませんでした。' })
  await expect(alert).toBeHidden()
  await page.clock.fastForward(30_000)
  await expect(alert).toBeVisible()
  await page.unroute(scripts)
  const again = page.waitForRequest(scripts)
  await alert.getByRole('button', { name: '読み込み直す' }).click()
  await again
  await expect(alert).toBeHidden()
})

test('an image that is too large, of a wrong type or unreadable is refused at once', async ({ page, board }) => {
  await page.goto(`${board.url}/create`)
  const picker = page.locator('input[type=file]')
  await repeatUntil(
    async () => {
      // Unlike a visitor, the test can fill the field before the script offers it.
      await picker.setInputFiles({ name: 'x.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    },
    (patience) => expect(page.getByText('対応していない画像形式です').first()).toBeVisible(patience),
  )
  await picker.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.alloc(10_485_761) })
  await expect(page.getByText('画像サイズが大きすぎます（最大10MB）').first()).toBeVisible()
  const fake = { name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
  const preview = page.getByAltText('添付する画像のプレビュー')
  await picker.setInputFiles(fake)
  await expect(page.getByText(messages.image_broken)).toBeVisible()
  await expect(preview).toHaveCount(0)
  // It does not replace a picture that was chosen before.
  await picker.setInputFiles({ name: 'moon.png', mimeType: 'image/png', buffer: await picture() })
  await expect(preview).toBeVisible()
  await picker.setInputFiles(fake)
  await expect(page.getByText(messages.image_broken)).toBeVisible()
  await expect(preview).toBeVisible()
  await enterThread(page, board, (await startThread(board))._id)
  // The composer says it for three seconds only.
  const told = saidOnPage(page, messages.image_broken)
  await picker.setInputFiles(fake)
  await told
  await expect(preview).toHaveCount(0)
})

test('markup in any field is shown as text', async ({ page, board }) => {
  const script = `<img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>`
  const thread = await startThread(board, {
    title: script,
    content: `${script} javascript:alert(1) </script><!--`,
    nickname: '<b>影</b>',
  })
  await enterThread(page, board, thread._id, '<i>忍</i>')
  await say(page, script)
  await expect(postsOf(page)).toHaveCount(2)
  await expect(postOf(page, 2)).toContainText(script)
  await page.reload()
  await expect(postOf(page, 1)).toContainText('javascript:alert(1)')
  await expect(page).not.toHaveTitle('hacked')
  await page.goto(`${board.url}/?search=${encodeURIComponent('"><script>alert(1)</script>')}`)
  await expect(page.getByLabel('スレッドを検索')).toHaveValue('"><script>alert(1)</script>')
})

test('a thread is painted in one piece before its scripts come, which leave the line to it', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  const priorities = new Map<string, string>()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  devtools.on('Network.requestWillBeSent', ({ request: { url, initialPriority } }) => {
    priorities.set(new URL(url).pathname, initialPriority)
  })
  // A browser that has read nothing has nothing to look up first.
  await page.addInitScript(() => {
    indexedDB.open = () => ({}) as IDBOpenDBRequest
  })
  const release = await holdScripts(page)
  await page.goto(`${board.url}/thread/${thread._id}`, { waitUntil: 'commit' })
  await expect(postOf(page, 1)).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-resuming')
  await expect.poll(() => [...priorities.keys()].some((path) => /vendor-.*\.js$/.test(path))).toBe(true)
  for (const [path, priority] of priorities) {
    if (/^\/assets\/.*\.js$/.test(path)) expect(priority, path).toBe('Low')
    if (path.endsWith('.css')) expect(priority, path).toBe('VeryHigh')
  }
  release()
})
