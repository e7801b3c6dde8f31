import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { createTurns } from './turns.ts'

test('as many as there are places work at a time, the others wait, and whoever finds the queue full is sent away', async () => {
  const turns = createTurns({ places: 1, waitingMax: 1 })
  const first = Promise.withResolvers<string>()
  const started: string[] = []
  const take = (name: string, work: () => Promise<string>) =>
    turns(() => {
      started.push(name)
      return work()
    })
  const running = take('first', () => first.promise)
  const waiting = take('second', async () => 'second')
  await expect(take('third', async () => 'third')).rejects.toThrow(ApiError)
  expect(started).toEqual(['first'])
  first.resolve('first')
  expect(await Promise.all([running, waiting])).toEqual(['first', 'second'])
  expect(await take('fourth', async () => 'fourth')).toBe('fourth')
})

test('who asks for much waits behind themselves: the next one comes after one more of it, and only their part of the queue is full', async () => {
  const turns = createTurns({ places: 1, waitingMaxOfOne: 3 })
  const first = Promise.withResolvers<void>()
  const ended: string[] = []
  const take = (asker: string, name: string) => turns(async () => void ended.push(name), asker)
  const works = [turns(() => first.promise, 'flood'), ...['1', '2', '3'].map((name) => take('flood', `flood ${name}`))]
  await expect(take('flood', 'flood 4')).rejects.toMatchObject({ code: 'too_many_requests' })
  works.push(take('reader', 'reader'), take('other', 'other'))
  first.resolve()
  await Promise.all(works)
  expect(ended).toEqual(['flood 1', 'reader', 'other', 'flood 2', 'flood 3'])
})

test('of one asker only so many work at a time, and the places that are left are for others', async () => {
  const turns = createTurns({ places: 3, placesOfOne: 2 })
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const take = (asker: string, name: string, until: Promise<void> = gate.promise) =>
    turns(async () => {
      begun.push(name)
      await until
    }, asker)
  const slow = ['1', '2', '3', '4'].map((name) => take('slow', `slow ${name}`))
  const other = take('other', 'other', Promise.resolve())
  await other
  expect(begun).toEqual(['slow 1', 'slow 2', 'other'])
  gate.resolve()
  await Promise.all(slow)
  expect(begun).toEqual(['slow 1', 'slow 2', 'other', 'slow 3', 'slow 4'])
})
