/** Threads as files to keep. */
import { describe, expect } from 'vitest'
import { threadLog } from '@shinobi/contract/logs'
import type { Post } from '@shinobi/contract/posts'
import { decodeCp932 } from '@shinobi/dat/cp932'
import { readLog } from '@shinobi/dat/read-log'
import { startThread, writeTo } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { ask } from '../../testing/wire.ts'

const it = boardTest
  .extend('thread', async ({ board, guest, admin }) => {
    board.clock.now += 20_000
    const thread = await startThread(guest, {
      title: '月見：「団子」/2',
      content: '一行目\n<二行目>',
      nickname: '影丸',
    })
    await writeTo(guest, thread, '消える書き込み', '消す人')
    await writeTo(guest, thread, '>>1 😂', '名無し')
    const posts = (await guest.get<Post[]>(`/api/threads/${thread._id}/posts`)).body
    await admin.delete(`/api/admin/posts/${posts[1]!._id}?rule=hurt`)
    return thread
  })
  .extend('take', ({ board, thread }) => async (form: string) => {
    return ask(`${await board.listen()}/api/threads/${thread._id}/log.${form}`)
  })

describe('a thread is taken along', () => {
  it('as JSON, with all but the content of removed posts', async ({ thread, take }) => {
    const { headers, bytes } = await take('json')
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    const log = threadLog.strict().parse(JSON.parse(bytes.toString()))
    expect(log).toMatchObject({
      source: `http://localhost/thread/${thread._id}`,
      thread: { title: thread.title, category: 'general', key: expect.any(Number) },
    })
    expect(log.posts).toMatchObject([
      { number: 1, name: '影丸', content: '一行目\n<二行目>', removed: false },
      { number: 2, name: null, content: '', posterId: null, removed: true },
      { number: 3, name: null, content: '>>1 😂', mail: '' },
    ])
    expect(bytes.toString()).not.toContain('消え')
  })

  it('as the dat of browsers of 2ch, which reads back as it is', async ({ thread, take }) => {
    const { headers, bytes } = await take('dat')
    expect(headers['content-type']).toBe('text/plain; charset=Shift_JIS')
    const { title, posts } = readLog(bytes)
    expect(title).toBe(thread.title)
    expect(posts).toMatchObject([
      { number: 1, name: '影丸', body: '一行目\n<二行目>' },
      { number: 2, removed: true },
      { number: 3, body: '>>1 😂' },
    ])
    expect(decodeCp932(bytes)).not.toContain('消え')
  })

  it('as text that people read', async ({ thread, take }) => {
    const lines = (await take('txt')).bytes.toString().split('\n')
    expect(lines.slice(0, 3)).toEqual([thread.title, `http://localhost/thread/${thread._id}`, ''])
    expect(lines[3]).toMatch(/^1：影丸：2026\/11\/21\(土\) \d\d:\d\d:\d\d\.\d\d ID:\S{8}$/)
    expect(lines.slice(4, 8)).toEqual(['　一行目', '　<二行目>', '', '2：あぼーん'])
  })

  it('under its title, without what no system takes in the name of a file', async ({ take }) => {
    const disposition = (await take('txt')).headers['content-disposition']!
    expect(disposition).toMatch(/^attachment; filename="\d{10}\.txt"; filename\*=UTF-8''/)
    expect(decodeURIComponent(disposition.split("UTF-8''")[1]!)).toBe('月見：「団子」 2.txt')
  })

  it('under its key, where nothing of its title can be in the name of a file', async ({ board, guest }) => {
    board.clock.now += 20_000
    const { _id } = await startThread(guest, { title: '???' })
    const { headers } = await guest.get(`/api/threads/${_id}/log.txt`)
    expect(headers['content-disposition']).toMatch(/filename="(\d{10}\.txt)"; filename\*=UTF-8''\1$/)
  })

  it('with new posts at once, and not at all once it is removed', async ({ guest, admin, thread, take }) => {
    await take('txt')
    await writeTo(guest, thread, '新しい書き込み', '後の人')
    expect((await take('txt')).bytes.toString()).toContain('新しい書き込み')
    await admin.delete(`/api/admin/threads/${thread._id}`)
    expect((await take('txt')).status).toBe(404)
    expect((await take('exe')).status).toBe(404)
  })
})
