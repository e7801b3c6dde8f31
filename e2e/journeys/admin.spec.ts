/** Moderators and administrators: who gets access, and what they do. */
import type { AdminThread, Dashboard } from '@shinobi/contract/admin'
import type { Category } from '@shinobi/contract/categories'
import { messages } from '@shinobi/contract/messages'
import type { WordRule } from '@shinobi/contract/words'
import type { Locator, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { enterAsAdmin, openAdminBoard, signUpAs, test } from '../admin-board.ts'
import { readPosts, signUp, startThread, writePost } from '../board.ts'
import { expect, fillLogin, hold, logIn, saidOnPage } from '../test.ts'

const menuOf = (page: Page): Locator => page.getByRole('navigation', { name: '管理メニュー' })
const titleOf = (page: Page, title: string): Locator =>
  page.getByRole('main').getByRole('heading', { level: 1, name: title, exact: true })
const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text })

let made = 0
/** A name that no other test on this board uses. */
const unique = (name: string): string => `${name}-${(made += 1)}-`

test.describe('access to the administration', () => {
  test('sends a stranger to the log-in, and back as administrator', async ({ page, run, admin }) => {
    await page.goto(`${run.url}/admin/threads?page=1`)
    await expect(page).toHaveURL(`${run.url}/login?next=${encodeURIComponent('/admin/threads?page=1')}`)
    await fillLogin(page, admin.user.name, admin.password)
    await expect(titleOf(page, 'スレッド')).toBeVisible()
    await expect(page).toHaveURL(`${run.url}/admin/threads?page=1`)
  })

  test('sends a member home, and shows them no link to it', async ({ page, context, run }) => {
    const member = await signUp(run)
    await logIn(context, run, member)
    for (const path of ['/admin', '/admin/settings', '/admin/reports']) {
      await page.goto(run.url + path)
      await expect(page).toHaveURL(`${run.url}/`)
    }
    await page.goto(`${run.url}/profile`)
    await expect(page.getByRole('heading', { name: 'ログイン中の端末' })).toBeVisible()
    await expect(page.getByRole('link', { name: '管理画面' })).toHaveCount(0)
    await expect(page.getByRole('heading', { name: '二段階認証' })).toHaveCount(0)
  })

  test('gives a moderator the screens of moderators, for their categories only @both', async ({
    page,
    context,
    run,
    admin,
  }) => {
    const categories = await admin.send<Category[]>('GET', '/api/categories')
    const own = categories.find(({ name }) => name === 'world')!
    const moderator = await signUpAs(run, admin, 'moderator', [own._id])
    const inside = unique('世界の話')
    const outside = unique('経済の話')
    await startThread(run, { title: inside, category: 'world' })
    await startThread(run, { title: outside, category: 'economy' })
    await logIn(context, run, moderator)
    await page.goto(`${run.url}/profile`)
    await page.getByRole('link', { name: '管理画面' }).click()
    // A moderator starts at the reports.
    await expect(page).toHaveURL(`${run.url}/admin/reports`)
    await expect(menuOf(page).getByRole('link', { name: 'スレッド' })).toBeVisible()
    await expect(menuOf(page).getByRole('link', { name: /設定|会員|禁止語|記録|ダッシュボード/ })).toHaveCount(0)
    await page.goto(`${run.url}/admin/users`)
    await expect(page).toHaveURL(`${run.url}/admin/reports`)
    await menuOf(page).getByRole('link', { name: 'スレッド' }).click()
    await expect(rowOf(page, inside)).toBeVisible()
    await expect(rowOf(page, outside)).toHaveCount(0)
  })

  test('ends at once with the role', async ({ page, context, run, admin }) => {
    const moderator = await signUpAs(run, admin, 'moderator')
    await logIn(context, run, moderator)
    await page.goto(`${run.url}/admin/reports`)
    await expect(titleOf(page, '通報')).toBeVisible()
    await admin.send('PUT', `/api/admin/users/${moderator.user._id}/role`, { role: 'member' })
    await expect(page).toHaveURL(`${run.url}/`)
  })

  test('ends with the next request on a screen of administrators for whom stays moderator', async ({
    page,
    context,
    run,
    admin,
  }) => {
    const other = await signUpAs(run, admin, 'admin')
    await logIn(context, run, other)
    await page.goto(`${run.url}/admin/audit`)
    await expect(titleOf(page, '操作の記録')).toBeVisible()
    await admin.send('PUT', `/api/admin/users/${other.user._id}/role`, { role: 'moderator', categoryIds: null })
    await page.getByRole('button', { name: '再読み込み' }).click()
    await expect(page).toHaveURL(`${run.url}/admin/reports`)
    await expect(menuOf(page).getByRole('link', { name: '操作の記録' })).toHaveCount(0)
  })

  test('an unknown address of the administration shows the 404 screen', async ({ page, context, run, admin }) => {
    await logIn(context, run, admin)
    await page.goto(`${run.url}/admin/nowhere`)
    await expect(page.getByText('次元崩壊').first()).toBeVisible()
  })

  test('on a desktop the header links to it, for administrators only @both', async ({
    page,
    context,
    run,
    admin,
    isMobile,
  }) => {
    test.skip(isMobile, 'small screens have the drawer')
    const header = page.getByRole('navigation', { name: 'メイン' })
    const link = header.getByRole('link', { name: '管理' })
    await page.goto(`${run.url}/about`)
    await expect(header.getByRole('link', { name: 'ログイン' })).toBeVisible()
    await expect(link).toHaveCount(0)
    await logIn(context, run, await signUp(run))
    await page.goto(`${run.url}/about`)
    await expect(header.getByRole('link', { name: 'プロフィール' })).toBeVisible()
    await expect(link).toHaveCount(0)
    await logIn(context, run, admin)
    await page.goto(`${run.url}/about`)
    await link.click()
    await expect(titleOf(page, 'ダッシュボード')).toBeVisible()
    await expect(link).toHaveAttribute('aria-current', 'page')
  })

  test('on a phone the menu links to it @both', async ({ page, context, run, admin, isMobile }) => {
    test.skip(!isMobile, 'the drawer is for small screens')
    await logIn(context, run, admin)
    await page.goto(`${run.url}/about`)
    await page.getByRole('button', { name: 'メニュー' }).tap()
    await page.getByRole('dialog', { name: 'メニュー' }).getByRole('link', { name: /管理/ }).tap()
    await expect(titleOf(page, 'ダッシュボード')).toBeVisible()
  })
})

test.describe('an administrator', () => {
  test.beforeEach(({ context, run, admin }) => logIn(context, run, admin))

  test('sees the figures, and can retry when they fail to load', async ({ page, run, admin }) => {
    await startThread(run)
    const { stats } = await admin.send<{ stats: Dashboard }>('GET', '/api/admin/dashboard')
    await page.route('**/api/admin/dashboard', (route) => route.abort())
    await page.goto(`${run.url}/admin`)
    await expect(page.getByText(messages.dashboard_failed)).toBeVisible()
    await page.unroute('**/api/admin/dashboard')
    await page.getByRole('button', { name: 'もう一度試す' }).click()
    for (const label of ['会員', 'スレッド', '書き込み', 'カテゴリ', '24時間の書き込み', '7日間の新しい会員'])
      await expect(page.getByRole('main').getByRole('link', { name: new RegExp(`^${label} ?[\\d,]+$`) })).toBeVisible()
    await expect(page.getByRole('link', { name: new RegExp(`^カテゴリ ?${stats.categories}$`) })).toBeVisible()
    await expect(page.getByRole('img', { name: /直近24時間の書き込み/ })).toBeVisible()
  })

  test('deletes a thread after confirmation, and undoes it', async ({ page, run }) => {
    const title = unique('消えるスレッド')
    const thread = await startThread(run, { title })
    await page.goto(`${run.url}/admin/threads`)
    await page.getByRole('button', { name: `「${title}」を削除` }).click()
    const dialog = page.getByRole('dialog', { name: 'スレッドを削除' })
    await expect(dialog.getByText(messages.confirm_delete_thread)).toBeVisible()
    await dialog.getByRole('button', { name: 'キャンセル' }).click()
    await expect(dialog).toBeHidden()
    // The focus is where it was before the dialog.
    await expect(page.getByRole('button', { name: `「${title}」を削除` })).toBeFocused()
    await page.getByRole('button', { name: `「${title}」を削除` }).click()
    await dialog.getByRole('button', { name: '削除する' }).click()
    // It stays as long as the pointer is on it.
    await page.getByRole('button', { name: '取り消す' }).hover()
    await expect(rowOf(page, title)).toHaveCount(0)
    expect((await fetch(`${run.url}/api/threads/${thread._id}`)).status).toBe(404)
    await page.getByRole('button', { name: '取り消す' }).click()
    await expect(rowOf(page, title)).toBeVisible()
    expect((await fetch(`${run.url}/api/threads/${thread._id}`)).status).toBe(200)
  })

  test('deletes a post, whose place stays', async ({ page, run }) => {
    const thread = await startThread(run, { title: unique('書き込みを消す') })
    const text = unique('消える書き込み')
    await writePost(run, thread._id, text)
    await page.goto(`${run.url}/admin/posts`)
    await rowOf(page, text).getByRole('button', { name: /削除/ }).click()
    const dialog = page.getByRole('dialog', { name: '書き込みを削除' })
    await expect(dialog.getByText(messages.confirm_delete_post)).toBeVisible()
    await dialog.getByLabel('根拠となる規約').selectOption('hurt')
    await dialog.getByRole('button', { name: '削除する' }).click()
    await expect(rowOf(page, text)).toHaveCount(0)
    const posts = await readPosts(run, thread._id)
    expect(posts[1]).toMatchObject({ number: 2, deleted: true, content: '', rule: 'hurt' })
  })

  test('locks, pins and moves a thread', async ({ page, run, admin }) => {
    const title = unique('動くスレッド')
    const thread = await startThread(run, { title, category: 'rant' })
    await page.goto(`${run.url}/admin/threads`)
    await page.getByRole('button', { name: `「${title}」を変更（ロック・固定・移動）` }).click()
    const dialog = page.getByRole('dialog', { name: 'スレッドの変更' })
    await expect(dialog.getByRole('button', { name: '変更する' })).toBeDisabled()
    await dialog.getByLabel('ロックする（書き込み停止）').check()
    await dialog.getByLabel('カテゴリの一番上に固定').check()
    await dialog.getByLabel('カテゴリ', { exact: true }).selectOption({ label: '💬 雑談' })
    // The lock is stored, and the line breaks before the pin: the next press sends the rest.
    await page.route('**/api/admin/threads/*', (route) =>
      route.request().postDataJSON()?.pinned === undefined ? route.continue() : route.abort(),
    )
    await dialog.getByRole('button', { name: '変更する' }).click()
    await expect(dialog.getByText(messages.network)).toBeVisible()
    await page.unroute('**/api/admin/threads/*')
    await dialog.getByRole('button', { name: '変更する' }).click()
    await expect(rowOf(page, title).getByText('ロック')).toBeVisible()
    await expect(rowOf(page, title).getByText('固定')).toBeVisible()
    const changed = await admin.send<AdminThread>('GET', `/api/threads/${thread._id}`)
    expect(changed).toMatchObject({ locked: true, pinned: 'category', category: 'general' })
  })

  test('turns the pages of a long list by number, which the address keeps @both', async ({ page, run }) => {
    const titles = Array.from({ length: 21 }, () => unique('頁をめくる'))
    for (const title of titles) await startThread(run, { title })
    await page.goto(`${run.url}/admin/threads`)
    await expect(rowOf(page, titles[20]!)).toBeVisible()
    await expect(rowOf(page, titles[0]!)).toHaveCount(0)
    await page.getByRole('link', { name: '2ページ目' }).click()
    await expect(page).toHaveURL(`${run.url}/admin/threads?page=2`)
    await expect(rowOf(page, titles[0]!)).toBeVisible()
    await page.reload()
    await expect(page.getByRole('link', { name: '2ページ目' })).toHaveAttribute('aria-current', 'page')
    await page.goBack()
    await expect(rowOf(page, titles[20]!)).toBeVisible()
    // A page that is no more, as after the deletion of its last row.
    await page.goto(`${run.url}/admin/threads?page=99`)
    await expect(page.getByRole('link', { name: '2ページ目' })).toHaveAttribute('aria-current', 'page')
    await expect(rowOf(page, titles[0]!)).toBeVisible()
  })

  test('filters a list, with the filters in the address, and clears them with one press @both', async ({
    page,
    run,
    admin,
    isMobile,
  }) => {
    const word = unique('霧隠')
    const thread = await startThread(run, { title: `${word}の話`, category: 'rant' })
    await page.goto(`${run.url}/admin/threads`)
    const words = page.getByRole('searchbox', { name: 'タイトルと本文の言葉' })
    // A new thread is found as soon as it is indexed.
    const untilIndexed = (count: number) =>
      expect
        .poll(async () => {
          const path = `/api/admin/threads?${new URLSearchParams({ q: word })}`
          return (await admin.send<{ threads: unknown[] }>('GET', path)).threads.length
        })
        .toBe(count)
    await untilIndexed(1)
    await words.fill(word)
    await words.press('Enter')
    await expect(page).toHaveURL(`${run.url}/admin/threads?${new URLSearchParams({ q: word })}`)
    await expect(rowOf(page, word)).toHaveCount(1)
    // The same words once more show what is new.
    await startThread(run, { title: `${word}の巻`, category: 'world' })
    await untilIndexed(2)
    await words.press('Enter')
    await expect(rowOf(page, word)).toHaveCount(2)
    await expect(words).toBeFocused()
    if (isMobile) await page.getByRole('button', { name: '条件' }).tap()
    await page.getByLabel('カテゴリ', { exact: true }).selectOption('rant')
    await expect(rowOf(page, word)).toHaveCount(1)
    await expect(page).toHaveURL(`${run.url}/admin/threads?${new URLSearchParams({ q: word, category: 'rant' })}`)
    await rowOf(page, word).getByRole('link').click()
    await expect(page).toHaveURL(`${run.url}/thread/${thread._id}`)
    await page.goBack()
    await expect(rowOf(page, word)).toHaveCount(1)
    await expect(words).toHaveValue(word)
    await expect(page.getByLabel('カテゴリ', { exact: true })).toHaveValue('rant')
    await page.getByLabel('状態').selectOption({ label: 'ロック中' })
    await expect(page.getByText('条件に当てはまるスレッドはありません。')).toBeVisible()
    await page.goBack()
    await expect(rowOf(page, word)).toHaveCount(1)
    await page.getByRole('link', { name: 'クリア', exact: true }).click()
    await expect(page).toHaveURL(`${run.url}/admin/threads`)
    await expect(words).toHaveValue('')
    await expect(rowOf(page, word)).toHaveCount(2)
  })

  test('restores removed items from the list of removed ones', async ({ page, run, admin }) => {
    const thread = await startThread(run, { title: unique('戻すスレッド') })
    const text = unique('戻す書き込み')
    const post = await writePost(run, thread._id, text)
    await admin.send('DELETE', `/api/admin/posts/${post._id}`)
    await page.goto(`${run.url}/admin/posts?state=removed`)
    await expect(rowOf(page, text)).toContainText('削除')
    const told = saidOnPage(page, '2番の書き込みを復元しました。')
    const restore = rowOf(page, text).getByRole('button', { name: /復元/ })
    const letGo = await hold(page, '**/api/admin/posts/*/restore*')
    await restore.click()
    await expect(restore).toHaveAttribute('aria-busy', 'true')
    letGo()
    await told
    await expect(rowOf(page, text)).toHaveCount(0)
    expect((await readPosts(run, thread._id))[1]).toMatchObject({ number: 2, deleted: false, content: text })
  })

  test('reads a writer’s history, and the decisions about it', async ({ page, run, admin }) => {
    const thread = await startThread(run, { title: unique('書き手のスレッド') })
    const text = unique('書き手の言葉')
    const post = await writePost(run, thread._id, text)
    await admin.send('POST', `/api/threads/${thread._id}/posts/${post._id}/report`, {
      reason: '荒らしです',
      content: '',
    })
    await admin.send('DELETE', `/api/admin/posts/${post._id}?rule=hurt`)
    await page.goto(`${run.url}/admin/posts?state=removed`)
    await rowOf(page, text)
      .getByRole('button', { name: /の履歴$/ })
      .click()
    const dialog = page.getByRole('dialog', { name: '書き手の履歴' })
    await expect(dialog).toContainText('訪問者')
    await expect(dialog).toContainText('制限されたことはありません。')
    await expect(dialog).toContainText(/通報1件\s*削除/)
    await expect(dialog).toContainText(text)
    await dialog.getByRole('button', { name: '閉じる' }).click()
    await page.goto(`${run.url}/admin/users?state=admin`)
    await page.getByRole('button', { name: `${admin.user.name}の履歴` }).click()
    await expect(dialog).toContainText('会員')
  })

  test('sees a notice when the network is down, and the list as soon as it is back', async ({ page, context, run }) => {
    const title = unique('圏外のスレッド')
    await startThread(run, { title })
    await page.goto(`${run.url}/admin/users`)
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByRole('status').filter({ hasText: 'オフラインです。' })).toBeVisible()
    await page
      .getByRole('button', { name: /の履歴$/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: '書き手の履歴' })
    await expect(dialog.getByText('オフラインのため読み込めません。')).toBeVisible()
    await context.setOffline(false)
    await expect(dialog.getByRole('heading', { name: '受けた通報' })).toBeVisible()
    await expect(page.getByText('オフラインです。')).toHaveCount(0)
  })

  test('creates a category, and deletes one only after its threads are moved', async ({ page, run, admin }) => {
    const name = unique('night')
    await page.goto(`${run.url}/admin/categories`)
    await expect(rowOf(page, 'general')).toBeVisible()
    const before = await page.getByRole('row').count()
    // An empty name does nothing.
    await page.getByLabel('説明（任意）').fill('名のないもの')
    await page.getByRole('button', { name: '作成する' }).click()
    await page.getByLabel('名前').fill(name)
    await page.getByLabel('説明（任意）').fill('夜の話題')
    await page.getByRole('button', { name: '作成する' }).click()
    await expect(rowOf(page, name)).toContainText('夜の話題')
    await expect(page.getByRole('row')).toHaveCount(before + 1)
    const thread = await startThread(run, { title: unique('夜のスレッド'), category: name })

    await page.getByRole('button', { name: `カテゴリ「${name}」を削除` }).click()
    const dialog = page.getByRole('dialog', { name: 'カテゴリを削除' })
    await expect(dialog.getByText(messages.confirm_delete_category)).toBeVisible()
    await dialog.getByRole('button', { name: '削除する' }).click()
    await expect(dialog.getByText(messages.category_has_threads(1, 0))).toBeVisible()
    await expect(dialog.getByRole('button', { name: '移動して削除する' })).toBeDisabled()
    await dialog.getByLabel('スレッドの移動先').selectOption({ label: '🔥 愚痴' })
    await dialog.getByRole('button', { name: '移動して削除する' }).click()
    await expect(rowOf(page, name)).toHaveCount(0)
    expect(await admin.send('GET', `/api/threads/${thread._id}`)).toMatchObject({ category: 'rant' })
  })

  test('gives a member a role, which the log records', async ({ page, run }) => {
    const member = await signUp(run)
    await page.goto(`${run.url}/admin/users`)
    const row = rowOf(page, member.user.name)
    await expect(row).toContainText('いいえ')
    await page.getByRole('button', { name: `${member.user.name}の権限を変える` }).click()
    const dialog = page.getByRole('dialog', { name: '権限を変える' })
    await dialog.getByLabel('モデレーター').check()
    await dialog.getByLabel('選んだカテゴリだけ').check()
    await expect(dialog.getByRole('button', { name: '変える', exact: true })).toBeDisabled()
    await dialog.getByLabel('💹 経済').check()
    await dialog.getByRole('button', { name: '変える', exact: true }).click()
    await expect(row).toContainText('見回り')
    await expect(row).toContainText('経済')
    await menuOf(page).getByRole('link', { name: '操作の記録' }).click()
    const entry = rowOf(page, member.user.name)
    await expect(entry).toContainText('権限を変更')
    await expect(entry).toContainText('会員 → モデレーター')
  })

  test('tries a word on recent posts before banning it', async ({ page, run }) => {
    const word = '闇夜の烏'
    const thread = await startThread(run, { title: unique('言葉の試し') })
    await writePost(run, thread._id, `今夜は${word}を見た`)
    await page.goto(`${run.url}/admin/words`)
    await page.getByRole('button', { name: '言葉を追加' }).click()
    const dialog = page.getByRole('dialog', { name: '禁止語を追加' })
    await expect(dialog.getByRole('button', { name: '試す' })).toBeDisabled()
    await dialog.getByLabel('言葉', { exact: false }).first().fill(word)
    await dialog.getByRole('button', { name: '試す' }).click()
    await expect(dialog.getByText('1件', { exact: true })).toBeVisible()
    await expect(dialog.locator('mark')).toHaveText(word)
    // The result disappears when the rule is changed.
    await dialog.getByLabel('例外の言葉（任意）').fill(`今夜は${word}を見た`)
    await expect(dialog.getByText('1件', { exact: true })).toHaveCount(0)
    await dialog.getByRole('button', { name: '試す' }).click()
    await expect(dialog.getByText('0件', { exact: true })).toBeVisible()
    await dialog.getByLabel('例外の言葉（任意）').fill('')
    await dialog.getByRole('button', { name: '追加する' }).click()
    await expect(rowOf(page, word)).toContainText('書き込みを断る')
    await expect(() => expect(writePost(run, thread._id, `また${word}`)).rejects.toThrow('banned_word')).toPass()
  })

  test('keeps what another administrator changes in a word rule meanwhile', async ({ page, run, admin }) => {
    const { _id } = await admin.send<WordRule>('POST', '/api/admin/words', { word: '鎖鎌', allow: ['鎖鎌術'] })
    await page.goto(`${run.url}/admin/words`)
    await page.getByRole('button', { name: '「鎖鎌」を編集' }).click()
    const dialog = page.getByRole('dialog', { name: '禁止語を編集' })
    await admin.send('PUT', `/api/admin/words/${_id}`, { action: 'flag', allow: ['鎖鎌術', '鎖鎌展'] })
    await dialog.getByLabel('メモ（任意）').fill('喧嘩の元')
    await dialog.getByRole('button', { name: '保存する' }).click()
    for (const text of ['喧嘩の元', '公開して通報に載せる', '鎖鎌術、鎖鎌展']) {
      await expect(rowOf(page, '鎖鎌')).toContainText(text)
    }
  })

  test('shows what was done in lines of a readable length, beside the longest titles', async ({ page, run, admin }) => {
    const { _id } = await startThread(run, { title: `${unique('題名')}${'w'.repeat(80)}` })
    await admin.send('POST', `/api/admin/threads/${_id}/tracing`, {
      reason: '違法な書き込みの疑い'.repeat(8),
      hours: 1,
    })
    await page.goto(`${run.url}/admin/audit`)
    const action = page.getByRole('rowheader', { name: '一時記録を開始' }).first()
    expect((await action.boundingBox())!.width).toBeGreaterThan(120)
  })

  test('starts a temporary log with a reason, reads it with another, and ends it', async ({ page, run }) => {
    const title = unique('記録するスレッド')
    const thread = await startThread(run, { title })
    await page.goto(`${run.url}/admin/threads`)
    await page.getByRole('button', { name: `「${title}」を変更（ロック・固定・移動）` }).click()
    const dialog = page.getByRole('dialog', { name: 'スレッドの変更' })
    await dialog.getByText('一時記録（管理者）').click()
    await dialog.getByRole('button', { name: '一時記録を始める' }).click()
    await expect(dialog.getByText(messages.reason_required)).toBeVisible()
    await dialog.getByLabel('理由').fill('違法な書き込みの疑い')
    await dialog.getByRole('button', { name: '一時記録を始める' }).click()
    await expect(dialog).toBeHidden()
    await writePost(run, thread._id, '記録される書き込み')

    await menuOf(page).getByRole('link', { name: '一時記録' }).click()
    await expect(rowOf(page, title)).toContainText('違法な書き込みの疑い')
    await page.getByRole('button', { name: `「${title}」の記録を読む` }).click()
    const reading = page.getByRole('dialog', { name: '記録を読む' })
    await reading.getByLabel('読む理由').fill('照会への回答')
    await reading.getByRole('button', { name: '読む', exact: true }).click()
    await expect(reading.getByRole('listitem')).toHaveCount(1)
    await reading.getByRole('button', { name: '閉じる' }).click()

    await page.getByRole('button', { name: `「${title}」の一時記録を終える` }).click()
    await page.getByRole('dialog', { name: '一時記録を終える' }).getByRole('button', { name: '終えて消す' }).click()
    await expect(rowOf(page, title)).toHaveCount(0)
    await menuOf(page).getByRole('link', { name: '操作の記録' }).click()
    await expect(rowOf(page, '照会への回答')).toContainText('一時記録を閲覧')
  })
})

test('changes settings, with errors at their fields, effective without a restart, and finds them in the log', async ({
  page,
  context,
}) => {
  const board = await openAdminBoard()
  const admin = await enterAsAdmin(board)
  const first = await openThread(board.url)
  const visitor = first.headers.getSetCookie()[0]!.split(';')[0]!
  await logIn(context, board, admin)
  await page.goto(`${board.url}/admin/settings`)
  const field = page.getByRole('textbox', { name: 'スレッド作成の間隔' })
  const save = page.getByRole('button', { name: '保存する' })
  await expect(save).toBeDisabled()
  const below = page.getByRole('textbox', { name: '書いた人による削除' })
  const placeOf = () => below.evaluate((element) => element.getBoundingClientRect().top + scrollY)
  const place = await placeOf()
  await field.fill('90000')
  await expect(page.getByText(messages.setting_range(0, 86_400))).toBeVisible()
  expect(await placeOf()).toBe(place)
  await save.click()
  await expect(field).toBeFocused()
  await field.fill('６００')
  await page.getByRole('textbox', { name: '全ページに出すお知らせ' }).fill('今夜は点検です')
  await expect(page.getByText('2件を変更中')).toBeVisible()
  // Nothing typed is lost by a press elsewhere.
  await menuOf(page).getByRole('link', { name: '操作の記録' }).click()
  await page.getByRole('dialog', { name: '設定の変更' }).getByRole('button', { name: 'キャンセル' }).click()
  await expect(page.getByText('2件を変更中')).toBeVisible()
  const savedTwo = saidOnPage(page, '2件の設定を保存しました')
  await save.click()
  await savedTwo
  await expect(field).toHaveValue('600')

  await expect(async () => expect((await openThread(board.url, visitor)).status).toBe(429)).toPass()
  const reader = await context.newPage()
  await reader.goto(board.url)
  await expect(reader.getByText('今夜は点検です')).toBeVisible()
  await reader.close()

  await page.getByRole('button', { name: /スレッド作成の間隔を初期値に戻す/ }).click()
  const savedOne = saidOnPage(page, '1件の設定を保存しました')
  await save.click()
  await savedOne
  await expect(async () => expect((await openThread(board.url, visitor)).status).toBe(201)).toPass()

  const stored = Promise.withResolvers<void>()
  await page.route('**/api/admin/settings', async (route) => {
    if (route.request().method() === 'PUT') await stored.promise
    await route.continue()
  })
  await field.fill('30')
  await save.click()
  const banner = page.getByRole('textbox', { name: '全ページに出すお知らせ' })
  await banner.fill('点検は終わりました')
  const savedOther = saidOnPage(page, '1件の設定を保存しました')
  stored.resolve()
  await savedOther
  await expect(page.getByText('1件を変更中')).toBeVisible()
  await expect(banner).toHaveValue('点検は終わりました')
  await board.close()
})

const openThread = (url: string, cookie?: string): Promise<Response> =>
  fetch(`${url}/api/threads`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json', ...(cookie !== undefined && { cookie }) },
    body: JSON.stringify({ title: '間隔を置くスレッド', content: '本文', category: 'general' }),
  })

test('a second factor is set up, required at the log-in, replaced by a recovery code, and turned off', async ({
  page,
  context,
  run,
  admin,
}) => {
  const moderator = await signUpAs(run, admin, 'moderator')
  await logIn(context, run, moderator)
  await page.goto(`${run.url}/profile#second-factor`)
  await page.getByRole('button', { name: '設定する', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '二段階認証の設定' })
  await dialog.getByLabel('現在のパスワード').fill(moderator.password)
  await dialog.getByRole('button', { name: '次へ' }).click()
  await expect(dialog.getByRole('img', { name: /QRコード/ }).locator('path')).toHaveAttribute('d', /^M/)
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await dialog.getByLabel('認証コード').fill('000000')
  await dialog.getByRole('button', { name: '有効にする' }).click()
  await expect(dialog.getByText(messages.code_wrong)).toBeVisible()
  await dialog.getByLabel('認証コード').fill(totp.generate())
  await dialog.getByRole('button', { name: '有効にする' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  // They are shown once: only the button closes them. At the second Esc a browser closes by itself.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const [recoveryCode = '', anotherCode = ''] = await dialog.getByRole('listitem').allInnerTexts()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'ファイルに保存' }).click()
  expect((await download).suggestedFilename()).toBe('shinobi-ita-recovery-codes.txt')
  await dialog.getByRole('button', { name: '控えました' }).click()
  await expect(page.getByText('有効です。復旧コードは残り10個。')).toBeVisible()

  await page.getByRole('main').getByRole('button', { name: 'ログアウト' }).click()
  await expect(page.getByRole('heading', { name: 'ログイン', level: 1 })).toBeVisible()
  await fillLogin(page, moderator.user.name, moderator.password)
  const code = page.getByLabel('認証コード')
  await expect(code).toBeFocused()
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  // What was typed is kept.
  await expect(page.getByLabel('会員名')).toHaveValue(moderator.user.name)
  const send = page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true })
  await code.fill('123 456')
  await send.click()
  await expect(page.getByText(messages.code_wrong)).toBeVisible()
  await expect(code).toHaveValue('')
  // Each 30-second step works once, so this takes the code of the next one, which is accepted
  // early.
  await code.fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await send.click()
  await expect(page.getByRole('heading', { name: 'プロフィール', level: 1 })).toBeVisible()

  await page.getByRole('main').getByRole('button', { name: 'ログアウト' }).click()
  await fillLogin(page, moderator.user.name, moderator.password)
  await page.getByRole('button', { name: '復旧コードを使う' }).click()
  await page.getByLabel('復旧コード').fill(recoveryCode)
  await send.click()
  await expect(page.getByText('復旧コードは残り9個', { exact: false })).toBeVisible()

  // It can be turned off after the end of the role, and then not be set up again.
  await admin.send('PUT', `/api/admin/users/${moderator.user._id}/role`, { role: 'member' })
  await page.reload()
  await page.getByRole('button', { name: '解除する' }).click()
  const drop = page.getByRole('dialog', { name: '二段階認証の解除' })
  await drop.getByLabel('現在のパスワード').fill(moderator.password)
  await drop.getByRole('button', { name: '復旧コードを使う' }).click()
  await drop.getByLabel('復旧コード').fill(anotherCode)
  await drop.getByRole('button', { name: '解除する' }).click()
  await expect(page.getByRole('heading', { name: '二段階認証' })).toHaveCount(0)
  await page.getByRole('main').getByRole('button', { name: 'ログアウト' }).click()
  await fillLogin(page, moderator.user.name, moderator.password)
  await expect(page.getByRole('heading', { name: 'プロフィール', level: 1 })).toBeVisible()
})

test('a second factor whose recovery codes were lost on the way says so, and shows that it is on', async ({
  page,
  context,
  run,
  admin,
}) => {
  const moderator = await signUpAs(run, admin, 'moderator')
  await logIn(context, run, moderator)
  await page.goto(`${run.url}/profile#second-factor`)
  await page.getByRole('button', { name: '設定する', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '二段階認証の設定' })
  await dialog.getByLabel('現在のパスワード').fill(moderator.password)
  await dialog.getByRole('button', { name: '次へ' }).click()
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  await page.route(
    '**/auth/second-factor/confirm',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await dialog.getByLabel('認証コード').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  const enable = dialog.getByRole('button', { name: '有効にする' })
  await enable.click()
  await expect(dialog.getByRole('alert')).toHaveText(messages.network)
  await enable.click()
  await expect(dialog.getByRole('alert')).toHaveText(messages.recovery_codes_lost)
  await dialog.getByRole('button', { name: '閉じる' }).click()
  await expect(page.getByText('有効です。')).toBeVisible()
  await expect(page.getByRole('button', { name: '解除する' })).toBeVisible()
})

test('where administrators need a second factor, one without it is shown how to set it up', async ({
  page,
  context,
}) => {
  const board = await openAdminBoard()
  const admin = await enterAsAdmin(board)
  const { secret } = await admin.send<{ secret: string }>('POST', '/auth/second-factor', {
    currentPassword: admin.password,
  })
  await admin.send('POST', '/auth/second-factor/confirm', {
    code: new TOTP({ secret: Secret.fromBase32(secret) }).generate(),
  })
  await admin.send('PUT', '/api/admin/settings', { requireSecondFactor: true })
  const other = await signUpAs(board, admin, 'admin')
  await logIn(context, board, other)
  await page.goto(`${board.url}/admin`)
  await expect(page.getByText(messages.second_factor_missing)).toBeVisible()
  await page.getByRole('link', { name: '二段階認証を設定する' }).click()
  await expect(page.getByRole('heading', { name: '二段階認証' })).toBeInViewport()
  await board.close()
})
