import { describe, expect, test } from 'vitest'
import { createImeGuard, meaningOfEnter, type EnterPress } from './use-ime-safe-enter.ts'

const enter = (parts: Partial<EnterPress> = {}): EnterPress => ({
  key: 'Enter',
  keyCode: 13,
  isComposing: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  ...parts,
})

/** A guard whose tasks run on `nextTask`. */
function guardWithTasks() {
  const tasks: (() => void)[] = []
  const guard = createImeGuard((task) => tasks.push(task))
  return { guard, nextTask: () => tasks.splice(0).forEach((task) => task()) }
}

describe('the Enter that confirms a composition', () => {
  test('is held in Chrome, which sends it before compositionend', () => {
    const { guard, nextTask } = guardWithTasks()
    guard.start()
    expect(guard.holds(enter({ isComposing: true, keyCode: 229 }))).toBe(true)
    guard.end()
    nextTask()
    expect(guard.holds(enter())).toBe(false)
  })

  test('is held in Safari, which sends it after compositionend without isComposing', () => {
    const { guard, nextTask } = guardWithTasks()
    guard.start()
    guard.end()
    expect(guard.holds(enter({ keyCode: 229 }))).toBe(true)
    expect(guard.holds(enter())).toBe(true)
    nextTask()
    expect(guard.holds(enter())).toBe(false)
  })

  test('is held when the next composition starts before the task of the last one has run', () => {
    const { guard, nextTask } = guardWithTasks()
    guard.start()
    guard.end()
    guard.start()
    nextTask()
    expect(guard.holds(enter())).toBe(true)
  })

  test('is held by keyCode 229 alone, for input methods that fire no composition events', () => {
    expect(createImeGuard().holds(enter({ keyCode: 229 }))).toBe(true)
  })
})

describe('an Enter outside of a composition', () => {
  const area = { multiline: true, sendWith: 'enter', touch: false } as const

  test('sends from a text area, and Shift+Enter is a new line', () => {
    expect(meaningOfEnter(enter(), area)).toBe('send')
    expect(meaningOfEnter(enter({ shiftKey: true }), area)).toBe('newline')
  })

  test('is a new line on a touch keyboard and in fields that send with Ctrl or Command', () => {
    expect(meaningOfEnter(enter(), { ...area, touch: true })).toBe('newline')
    expect(meaningOfEnter(enter(), { ...area, sendWith: 'mod' })).toBe('newline')
    expect(meaningOfEnter(enter({ ctrlKey: true }), { ...area, sendWith: 'mod' })).toBe('send')
    expect(meaningOfEnter(enter({ metaKey: true }), { ...area, touch: true })).toBe('send')
  })

  test('sends from a one-line field on every device', () => {
    expect(meaningOfEnter(enter(), { multiline: false, sendWith: 'enter', touch: true })).toBe('send')
  })
})
