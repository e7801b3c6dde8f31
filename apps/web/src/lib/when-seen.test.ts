import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { whenSeen } from './when-seen.ts'

const act = vi.fn()

function become(visibilityState: DocumentVisibilityState): void {
  Object.assign(document, { visibilityState }).dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  act.mockReset()
  vi.stubGlobal('document', new EventTarget())
})
afterEach(() => vi.unstubAllGlobals())

test('in a page that is on the screen it acts at once, and only once', () => {
  become('visible')
  whenSeen(act)
  become('hidden')
  become('visible')
  expect(act).toHaveBeenCalledTimes(1)
})

test('in a hidden tab it acts when the tab is shown, unless that was cancelled', () => {
  become('hidden')
  whenSeen(act)
  whenSeen(() => expect.unreachable('it was cancelled'))()
  expect(act).not.toHaveBeenCalled()
  become('visible')
  expect(act).toHaveBeenCalledTimes(1)
})
