/**
 * The newsroom of a test file: a board that reads newspapers of the test. `openNewsroom` opens it
 * for all tests of a file. Each test begins with an administrator logged in, with new newspapers
 * and without news, days after the one before it; settings of the news are as usual.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { startLlm, type LlmServer } from '@shinobi/newsroom/testing/outside/llm-server'
import { startNewspaper, type Newspaper } from '@shinobi/newsroom/testing/outside/newspaper'
import { openBoard, PASSWORD, signUp, visit, type Board, type Guest, type MemberGuest } from '../board.ts'
import { forgetNews } from '../stories.ts'
import { DAY } from './matters.ts'

export let board: Board
export let guest: Guest
export let admin: MemberGuest
/** The model of a board with LLM_MODEL: honest when a test begins. */
export let llm: LlmServer
export let paper: Newspaper
export let secondPaper: Newspaper
/** When the test began, by the board's clock. */
export let begun: number

/** What tests may change. */
const USUAL = {
  ...{ newsActive: true, newsApproval: false, newsRiskApproval: true, newsThreadsPerHour: 20, readOnly: false },
  ...{ newsTokensPerHour: 200_000, newsTokensPerDay: 2_000_000 },
}

/**
 * @param settings of the board; with LLM_MODEL its model is a test server
 * @param options.isKept the news of a test stay for the next one
 */
export function openNewsroom(settings: Readonly<Record<string, string>> = {}, { isKept = false } = {}): void {
  const hasModel = settings['LLM_MODEL'] !== undefined
  beforeAll(async () => {
    if (hasModel) llm = await startLlm()
    const ofModel = hasModel ? { LLM_BASE_URL: llm.url } : {}
    board = await openBoard({ NEWS_PRIVATE_ADDRESSES: 'true', ...ofModel, ...settings })
    guest = visit(board)
    admin = await signUp(board, '半蔵', { isAdmin: true })
  })
  beforeEach(async () => {
    begun = board.clock.now
    paper = await startNewspaper()
    secondPaper = await startNewspaper()
    if (!hasModel) return
    llm.behave('honest')
    llm.judge(() => 'supported')
  })
  afterEach(async () => {
    await paper.close()
    await secondPaper.close()
    if (isKept) return
    await forgetNews(board)
    await board.settle()
    board.clock.now += 3 * DAY
    await logIn()
    await change(USUAL)
  })
  afterAll(async () => {
    await board.close()
    if (hasModel) await llm.close()
  })
}

/** The clock moves by hours and days, so sessions expire. */
export const logIn = () => admin.post('/auth/login', { username: admin.name, password: PASSWORD })

/** Opens another server of the board. */
export async function openOther(settings: Readonly<Record<string, string>> = {}): Promise<Board> {
  const other = await openBoard({ NEWS_PRIVATE_ADDRESSES: 'true', ...settings }, board.database)
  other.clock.now = board.clock.now
  return other
}

/** Changes settings of the board. */
export async function change(settings: Partial<typeof USUAL>): Promise<void> {
  expect((await admin.put('/api/admin/settings', settings)).status).toBe(200)
}
