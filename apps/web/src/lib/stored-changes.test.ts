import { beforeEach, expect, it, vi } from 'vitest'
import { announceStored, subscribeStored } from './stored-changes.ts'

/** What a browser dispatches in the other tabs; a null key stands for all of the storage. */
const changedElsewhere = (key: string | null): Event => Object.assign(new Event('storage'), { key })

let tab: EventTarget
beforeEach(() => {
  tab = new EventTarget()
  vi.stubGlobal('addEventListener', tab.addEventListener.bind(tab))
  vi.stubGlobal('removeEventListener', tab.removeEventListener.bind(tab))
  return () => vi.unstubAllGlobals()
})

it('a listener hears of its own key alone, from this tab and from others', () => {
  const heard: boolean[] = []
  const leave = subscribeStored('watching', (isElsewhere) => heard.push(isElsewhere))
  announceStored('watching')
  announceStored('held')
  tab.dispatchEvent(changedElsewhere('watching'))
  tab.dispatchEvent(changedElsewhere('held'))
  expect(heard).toEqual([false, true])
  leave()
})

it('a storage that was emptied elsewhere has changed for everybody', () => {
  const heard: string[] = []
  const leaves = ['watching', 'held'].map((key) => subscribeStored(key, () => heard.push(key)))
  tab.dispatchEvent(changedElsewhere(null))
  expect(heard).toEqual(['watching', 'held'])
  for (const leave of leaves) leave()
})

it('one that has left, also during an announcement, hears nothing more', () => {
  const heard: string[] = []
  const leaveFirst = subscribeStored('watching', () => {
    heard.push('first')
    leaveFirst()
  })
  const leaveSecond = subscribeStored('watching', () => heard.push('second'))
  announceStored('watching')
  announceStored('watching')
  leaveSecond()
  announceStored('watching')
  tab.dispatchEvent(changedElsewhere('watching'))
  expect(heard).toEqual(['first', 'second', 'second'])
})

it('a page that waited in the back/forward cache hears on its return of what changed meanwhile', () => {
  const stored = new Map([
    ['watching', 'a'],
    ['held', 'a'],
  ])
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null })
  const heard: string[] = []
  const leaves = ['watching', 'held'].map((key) => subscribeStored(key, () => heard.push(key)))
  tab.dispatchEvent(new Event('pagehide'))
  stored.set('held', 'b')
  tab.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect(heard).toEqual(['held'])
  for (const leave of leaves) leave()
})
