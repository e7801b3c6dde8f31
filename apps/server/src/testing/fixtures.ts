/**
 * Fixtures for server tests: only those that a test names are created. All tests of a file share
 * one board, and its users stay. A file extends it with its own fixtures, for each test or (`{
 * scope: 'file' }`) once:
 *
 *     const it = boardTest.extend('thread', ({ guest }) => startThread(guest))
 *     it('…', async ({ admin, thread }) => { … })
 */
import { test } from 'vitest'
import { openBoard, openTestDatabase, signUp, visit, type Settings } from './board.ts'

export const boardTest = test
  // The limits of posting are high. A file about limits extends it with its own; `override` would
  // be for all files of the worker.
  .extend('settings', { scope: 'file' }, (): Settings => ({ SPAM_POSTS: '100000' }))
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of what a fixture needs from this pattern
  .extend('database', { scope: 'file' }, async ({}, { onCleanup }) => {
    const database = await openTestDatabase()
    onCleanup(() => database.close())
    return database
  })
  .extend('board', { scope: 'file' }, async ({ settings, database }, { onCleanup }) => {
    const board = await openBoard(settings, database)
    onCleanup(() => board.close())
    return board
  })
  // Another server of the same board, which learns of changes from the database.
  .extend('other', { scope: 'file' }, async ({ settings, database }, { onCleanup }) => {
    const other = await openBoard(settings, database)
    onCleanup(() => other.close())
    return other
  })
  // A browser without an account.
  .extend('guest', { scope: 'file' }, ({ board }) => visit(board))
  .extend('admin', { scope: 'file' }, ({ board }) => signUp(board, '半蔵', { isAdmin: true }))
  // A moderator of all categories.
  .extend('moderator', { scope: 'file' }, ({ board }) => signUp(board, '見回り組', { moderates: 'all' }))
