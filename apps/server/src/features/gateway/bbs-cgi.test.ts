/** What browsers of 2ch write. */
import { decodeCp932 } from '@shinobi/dat/cp932'
import { describe, expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { connectTo, enter, startThread } from '../../testing/board.ts'
import { createPostingClient } from '../../testing/dat-client.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { prove } from '../../testing/raid.ts'
import { ask } from '../../testing/wire.ts'
import { selectThreadKeys } from '../threads/thread-keys.queries.ts'

const it = boardTest
  .extend('client', async ({ board }) => createPostingClient(await board.listen()))
  .extend('helpers', ({ board, guest, admin }) => ({
    /** The fields of a reply, as JDim sends them. */
    replyTo: async ({ _id, categoryId, category }: Thread, more: Readonly<Record<string, string>> = {}) => ({
      ...{ bbs: category, key: String((await selectThreadKeys(board.database.db, [_id], categoryId)).get(_id)) },
      ...{ time: '1795200000', submit: '書き込む', FROM: '', mail: '', MESSAGE: '専ブラから', ...more },
    }),
    postsOf: async ({ _id }: Thread) => (await guest.get<Post[]>(`/api/threads/${_id}/posts`)).body,
    set: (settings: Readonly<Record<string, unknown>>) => admin.put('/api/admin/settings', settings),
  }))
it.beforeEach(({ board }) => {
  board.clock.now += 20_000
})

describe('a reply', () => {
  it('is asked for once more with the cookie of the answer, and stands once', async ({ guest, client, helpers }) => {
    const thread = await startThread(guest)
    const fields = await helpers.replyTo(thread, { FROM: '影丸', mail: 'sage', MESSAGE: '一行目\nテ😂' })
    expect(await client.send(fields)).toMatchObject({ kind: 'asked' })
    expect(await helpers.postsOf(thread)).toHaveLength(1)
    expect((await client.send(fields)).kind).toBe('written')
    // The answer was lost, and the client sends it again.
    expect((await client.send(fields)).kind).toBe('written')
    const posts = await helpers.postsOf(thread)
    expect(posts).toHaveLength(2)
    expect(posts[1]).toMatchObject({ name: '影丸', sage: true, content: '一行目\nテ😂', userId: null })
  })

  it('is 名無し without a name, and has the tripcode of its key', async ({ board, guest, client, helpers }) => {
    const thread = await startThread(guest)
    await client.post(await helpers.replyTo(thread))
    board.clock.now += 20_000
    await client.post(await helpers.replyTo(thread, { FROM: '忍び#istrip', MESSAGE: '鍵つき' }))
    const [, plain, keyed] = await helpers.postsOf(thread)
    expect(plain).toMatchObject({ name: null, content: '専ブラから' })
    expect(keyed).toMatchObject({ name: '忍び', trip: '/WG5qp963c' })
  })

  it('does not lift its thread when its mail field holds sage anywhere', async ({ board, guest, client, helpers }) => {
    const thread = await startThread(guest)
    for (const mail of ['sage進行', 'ここはSageます', 'age']) {
      expect((await client.post(await helpers.replyTo(thread, { mail, MESSAGE: mail }))).kind).toBe('written')
      board.clock.now += 20_000
    }
    const posts = await helpers.postsOf(thread)
    expect(posts.slice(1).map(({ sage = false }) => sage)).toEqual([true, true, false])
  })

  it('needs no code in calm times, so that one in the mail field is ignored', async ({ guest, client, helpers }) => {
    const thread = await startThread(guest)
    const fields = await helpers.replyTo(thread, { mail: 'sage#abcdefgh' })
    expect((await client.post(fields)).kind).toBe('written')
    const posts = await helpers.postsOf(thread)
    expect(posts[1]).toMatchObject({ content: '専ブラから', sage: true })
    expect(JSON.stringify(posts)).not.toContain('abcdefgh')
  })

  it('appears on open pages at once', async ({ board, guest, client, helpers }) => {
    const thread = await startThread(guest)
    const reader = await connectTo(await board.listen(), guest)
    await enter(reader, thread._id)
    const told = new Promise((resolve) => void reader.once('newPost', resolve))
    await client.post(await helpers.replyTo(thread, { MESSAGE: '見えますか' }))
    expect(await told).toMatchObject({ content: '見えますか' })
    reader.disconnect()
  })

  it('is refused as on the web, with a page that clients show', async ({ board, guest, admin, client, helpers }) => {
    const thread = await startThread(guest)
    await client.post(await helpers.replyTo(thread))
    board.clock.now += 20_000
    const refusal = async (more: Readonly<Record<string, string>>) => {
      const { kind, text } = await client.post({ ...(await helpers.replyTo(thread)), ...more })
      return kind === 'refused' ? text : kind
    }
    expect(await refusal({ MESSAGE: '' })).toContain(messages.content_required)
    expect(await refusal({ MESSAGE: 'あ'.repeat(4_001) })).toContain(messages.content_too_long)
    expect(await refusal({ FROM: 'い'.repeat(21) })).toMatch(/20文字/)
    expect(await refusal({ FROM: '管理人' })).toContain(messages.nickname_taken)
    expect(await refusal({ key: '1' })).toContain(messages.thread_not_found)
    expect(await refusal({ bbs: 'nowhere' })).toContain(messages.category_not_found)
    expect(await refusal({ MESSAGE: 'x'.repeat(170_000) })).toContain(messages.payload_too_large)
    await admin.put(`/api/admin/threads/${thread._id}`, { locked: true })
    expect(await refusal({ MESSAGE: '鍵の後' })).toContain(messages.thread_locked)
    expect(await helpers.postsOf(thread)).toHaveLength(2)
    // A number between spaces would be read as seconds to wait.
    expect(await refusal({ MESSAGE: '鍵の後' })).not.toMatch(/ \d+ /)
  })

  it('is of another writer than the web visitor of the same address', async ({ guest, client, helpers }) => {
    const thread = await startThread(guest, { nickname: '月影' })
    const { kind, text } = await client.post(await helpers.replyTo(thread, { FROM: '月影' }))
    expect([kind, text]).toEqual(['refused', expect.stringContaining(messages.nickname_taken)])
  })
})

describe('a thread', () => {
  it('is opened once, also when the form comes twice', async ({ guest, client }) => {
    const fields = {
      ...{ bbs: 'economy', time: '1795200000', submit: '新規スレッド作成', FROM: '', mail: '' },
      ...{ subject: '専ブラで立てたスレ', MESSAGE: '本文です' },
    }
    expect((await client.post(fields)).kind).toBe('written')
    expect((await client.post(fields)).kind).toBe('written')
    const threads = (await guest.get<ThreadItem[]>('/api/categories/economy/threads?limit=100')).body
    expect(threads.filter(({ title }) => title === fields.subject)).toHaveLength(1)
    expect((await client.post({ ...fields, subject: '短' })).text).toContain('タイトルは3文字以上')
  })

  it('that is sent again after the first question is as it was typed', async ({ guest, client }) => {
    const typed = { subject: 'Q&A "忍" <¥1>', FROM: '影&"丸"', MESSAGE: '　　∧＿∧\n　（ ´∀｀） &hearts; <b>\n  "😂"' }
    const fields = {
      ...{ bbs: 'economy', time: '1795200000', submit: '新規スレッド作成', mail: '', ...typed },
      // CP932 has no ¥.
      subject: 'Q&A "忍" <&#165;1>',
    }
    expect((await client.post(fields)).kind).toBe('written')
    const threads = (await guest.get<ThreadItem[]>('/api/categories/economy/threads?limit=100')).body
    const thread = threads.find(({ title }) => title === typed.subject)
    expect(threads.map(({ title }) => title)).toContain(typed.subject)
    const [post] = (await guest.get<Post[]>(`/api/threads/${thread?._id}/posts`)).body
    expect(post).toMatchObject({ name: typed.FROM, content: typed.MESSAGE })
  })
})

describe('raid mode', () => {
  it('asks for a code of a web browser, which works once', async ({ board, guest, admin, client, helpers }) => {
    const thread = await startThread(guest)
    const url = `/api/admin/shields/${thread.categoryId}`
    const step = (step: number) => admin.put(url, { step, ...(step > 0 && { minutes: 60 }), reason: '荒らし対策' })
    expect((await step(2)).status).toBe(200)
    const fields = await helpers.replyTo(thread, { MESSAGE: '結界の中から' })
    expect((await client.post(fields)).text).toContain('http://localhost/senbura')
    const without = await guest.post<{ code: string }>('/api/proofs/code')
    expect([without.status, without.body.code]).toEqual([428, 'proof_required'])
    await prove(guest)
    const { code } = (await guest.post<{ code: string }>('/api/proofs/code')).body
    expect(code).toMatch(/^[a-z2-9]{8}$/)
    // One search is worth one code.
    expect((await guest.post('/api/proofs/code')).status).toBe(428)
    expect((await client.post({ ...fields, mail: `sage#${code.toUpperCase()}` })).kind).toBe('written')
    // The answer was lost: the same form, with the same code, is the same post.
    expect((await client.post({ ...fields, mail: `sage#${code.toUpperCase()}` })).kind).toBe('written')
    const posts = await helpers.postsOf(thread)
    expect(posts.filter(({ content }) => content === '結界の中から')).toHaveLength(1)
    expect(posts.at(-1)).toMatchObject({ content: '結界の中から', sage: true })
    expect(JSON.stringify(posts)).not.toContain(code)
    const another = createPostingClient(await board.listen(), '127.0.0.9')
    expect((await another.post({ ...fields, mail: `#${code}` })).text).toContain(messages.client_code_unknown)
    await step(0)
  })
})

describe('the gateway', () => {
  it('takes UTF-8 where a client says so', async ({ board, guest, client, helpers }) => {
    const thread = await startThread(guest)
    await client.post(await helpers.replyTo(thread))
    board.clock.now += 20_000
    const fields = await helpers.replyTo(thread, { MESSAGE: '別の字𠮟' })
    const answer = await ask(`${await board.listen()}/test/bbs.cgi?guid=ON`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      body: new URLSearchParams(fields).toString(),
    })
    expect(answer.status).toBe(200)
    expect((await helpers.postsOf(thread)).at(-1)).toMatchObject({ content: '別の字𠮟' })
  })

  it('takes no forms of pages of other sites, and no cookie of the web', async ({ board, guest, client, helpers }) => {
    const thread = await startThread(guest)
    const fields = await helpers.replyTo(thread)
    await client.post(fields)
    const send = async (headers: Readonly<Record<string, string>>) =>
      ask(`${await board.listen()}/test/bbs.cgi`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: 'bbs=general',
      })
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const foreign = await send({ origin: 'https://elsewhere.example', cookie })
    expect(foreign.bytes.toString('latin1')).not.toContain('2ch_X:true')
    const own = [...guest.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const asked = await send({ cookie: own })
    expect(asked.bytes.toString('latin1')).toContain('2ch_X:cookie')
    // By these words, and no others, navi2ch knows that it is to send the same again.
    expect(decodeCp932(asked.bytes)).toContain('<b>書きこみ＆クッキー確認</b>')
    const forged = `client=${'0'.repeat(64)}`
    expect((await send({ cookie: forged })).bytes.toString('latin1')).toContain('2ch_X:cookie')
  })

  it('writes nothing when it is switched off', async ({ guest, client, helpers }) => {
    const thread = await startThread(guest)
    const fields = await helpers.replyTo(thread)
    await helpers.set({ gateway: false })
    expect((await client.post(fields)).kind).toBe('refused')
    await helpers.set({ gateway: true })
    expect(await helpers.postsOf(thread)).toHaveLength(1)
  })
})
