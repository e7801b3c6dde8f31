/**
 * A raid from the view of an ordinary visitor: notices in plain words, no noticeable delay, and
 * reading all the time.
 */
import { messages } from '@shinobi/contract/messages'
import { SHIELD_NOTICES } from '@shinobi/contract/rules'
import { enterAsAdmin, openAdminBoard } from '../admin-board.ts'
import { readPosts, startThread, type Board } from '../board.ts'
import { composerOf, enterThread, expect, postOf, postsOf, saidOnPage, say, test as base } from '../test.ts'

const RAIDERS = 100
const COOLDOWN_SECONDS = 600

const test = base.extend<{ raided: Board }>({
  /** A board with raid detection; the test's visitors come from many addresses. */
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from this pattern
  raided: async ({}, provide) => {
    // Raid mode counts the tries of a minute, in which a busy machine may not send them all.
    const board = await openAdminBoard({ SHIELD_AUTOMATIC: 'true', TRUST_PROXY: 'true', BOARD_PACE: '0.1' })
    const admin = await enterAsAdmin(board)
    // Whoever writes a second time does so within it, however long the first round takes.
    await admin.send('PUT', '/api/admin/settings', { shieldCooldownSeconds: COOLDOWN_SECONDS })
    await provide(board)
    await board.close()
  },
})

interface Raider {
  /** Posts, and returns the status. */
  readonly post: (threadId: string) => Promise<number>
}

/** @param net part of their addresses */
function gather(board: Board, net = 9): Raider[] {
  return Array.from({ length: RAIDERS }, (_, index) => {
    let cookie = ''
    return {
      async post(threadId) {
        const answer = await fetch(`${board.url}/api/threads/${threadId}/posts`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': `10.${net}.0.${index + 1}`,
            origin: board.url,
            cookie,
          },
          body: JSON.stringify({ content: '荒らしだ', name: `賊${index}` }),
        })
        cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
        await answer.arrayBuffer()
        return answer.status
      },
    }
  })
}

/** Every raider posts once, ten at a time, so that a browser on the same machine keeps up. */
async function attack(raiders: readonly Raider[], threadId: string): Promise<number[]> {
  const statuses: number[] = []
  for (let first = 0; first < raiders.length; first += 10) {
    const troop = raiders.slice(first, first + 10)
    statuses.push(...(await Promise.all(troop.map((raider) => raider.post(threadId)))))
  }
  return statuses
}

test('100 visitors raid a thread and are slowed down, while an ordinary visitor reads on and posts', async ({
  page,
  raided,
}) => {
  test.slow(true, 'a hundred visitors and a browser share two cores')
  const thread = await startThread(raided)
  await enterThread(page, raided, thread._id, '通行人')
  const raiders = gather(raided)
  expect(new Set(await attack(raiders, thread._id))).toEqual(new Set([201]))

  // From the 120th post on a cooldown stops visitors who have posted; from the 180th on, new
  // browsers have to solve a proof of work.
  const second = await attack(raiders, thread._id)
  for (const status of second.slice(30)) expect(status).toBe(429)
  const third = await attack(gather(raided, 8), thread._id)
  for (const status of third.slice(80)) expect(status).toBe(428)
  const posted = [...second, ...third].filter((status) => status === 201).length
  expect(posted).toBeLessThan(90)

  // The open page shows the notice.
  await expect(page.getByRole('complementary', { name: '結界' })).toContainText(SHIELD_NOTICES.proof)
  await expect(postOf(page, 101 + posted)).toBeAttached()

  // Raiders without a proof of work are refused; the visitor's page solves one by itself.
  const [late] = gather(raided, 10)
  expect(await late!.post(thread._id)).toBe(428)
  const proof = page.waitForResponse((answer) => answer.url().endsWith('/api/proofs') && answer.ok())
  await say(page, '皆さん落ち着いて')
  await proof
  await expect(composerOf(page)).toHaveValue('')
  await expect(postOf(page, 102 + posted)).toContainText('皆さん落ち着いて')
  const posts = await readPosts(raided, thread._id)
  expect(posts.map(({ content }) => content).filter((content) => content === '皆さん落ち着いて')).toHaveLength(1)
})

test('a post within the cooldown shows the time to wait, and keeps what was typed', async ({ page, raided }) => {
  test.slow(true, 'a hundred visitors and a browser share two cores')
  const thread = await startThread(raided)
  await enterThread(page, raided, thread._id, '早口')
  const raiders = gather(raided)
  await attack(raiders, thread._id)
  // 100 tries and these 20 reach the threshold of the cooldown.
  await attack(raiders.slice(0, 20), thread._id)
  await expect(page.getByRole('complementary', { name: '結界' })).toContainText(SHIELD_NOTICES.cooldown)
  await say(page, '一言目')
  await expect(postsOf(page).last()).toContainText('一言目')
  await expect(composerOf(page)).toHaveValue('')
  // Up to the seconds that are left.
  const [told = ''] = messages.shield_cooldown(COOLDOWN_SECONDS).split(String(COOLDOWN_SECONDS))
  const refused = saidOnPage(page, told)
  await say(page, '二言目')
  await refused
  await expect(composerOf(page)).toHaveValue('二言目')
})

test('a browser makes a code for a browser of 2ch, and another one by another check', async ({ page, board }) => {
  await page.goto(`${board.url}/senbura`)
  const code = page.getByText(/^#[a-z2-9]{8}$/)
  await page.getByRole('button', { name: 'コードを出す' }).click()
  await expect(code).toBeVisible()
  const first = await code.textContent()
  await page.getByRole('button', { name: '新しいコードを出す' }).click()
  await expect(code).not.toHaveText(first!)
})
