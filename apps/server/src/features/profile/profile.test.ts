import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import sharp from 'sharp'
import type { Profile } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import {
  openBoard,
  PASSWORD,
  signUp,
  startThread,
  visit,
  writeTo,
  type Guest,
  type MemberGuest,
  type Settings,
} from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'

const DAY = 86_400_000

const it = boardTest
  .extend('settings', { scope: 'file' }, (): Settings => ({ SPAM_POSTS: '10000', UPLOADS_PER_HOUR: '1000' }))
  .extend('helpers', ({ board }) => {
    const files = () => readdirSync(join(board.config.dataDir, 'images'))
    const fileOf = (picture: string) => join(board.config.dataDir, picture)
    return { files, fileOf }
  })

const profileOf = async (member: Guest): Promise<Profile> => (await member.get<Profile>('/auth/profile')).body
const rename = (member: Guest, name: unknown) => member.put('/auth/profile', { name })

describe('the profile', () => {
  it('shows members their own data, and gives visitors 401', async ({ board }) => {
    const member = await signUp(board, '自分を見る人')
    const answer = await member.get('/auth/profile')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toEqual({
      ...{ name: '自分を見る人', picture: null, room: null, rooms: [] },
      ...{ email: `${member.userId}@example.jp`, emailVerified: true, hasPassword: true, hasGoogle: false },
    })
    expect((await visit(board).get('/auth/profile')).status).toBe(401)
  })

  it('lists the last twenty threads the member posted in, newest post first', async ({ board }) => {
    const member = await signUp(board, '旅する人')
    const guest = visit(board)
    const made = []
    for (let index = 1; index <= 22; index += 1) made.push(await startThread(guest, { title: `宿場その${index}` }))
    for (const thread of made) {
      board.clock.now += 1_000
      await writeTo(member, thread, '泊まります')
    }
    board.clock.now += 1_000
    await writeTo(member, made[4]!, 'また来ました')
    const own = await startThread(member, { title: '自分の宿' })
    board.clock.now += 1_000
    await writeTo(member, made[4]!, 'もう一度')
    const { room, rooms } = await profileOf(member)
    expect(rooms).toHaveLength(20)
    expect(room).toEqual({ id: made[4]!._id, name: '宿場その5' })
    expect(rooms.slice(0, 3)).toEqual([
      room,
      { id: own._id, name: '自分の宿' },
      { id: made[21]!._id, name: '宿場その22' },
    ])
    expect((await profileOf(await signUp(board))).rooms).toEqual([])
  })
})

describe('a member’s name', () => {
  it('can be changed, takes effect everywhere at once, and does not change earlier posts', async ({ board }) => {
    const member = await signUp(board, '旧い名前')
    const thread = await startThread(member)
    expect((await rename(member, ' 新しい名前★ ')).body).toEqual({
      user: {
        ...{ _id: member.userId, name: '新しい名前☆', email: `${member.userId}@example.jp` },
        ...{ picture: null, isAdmin: false, moderates: null, secondFactorMissing: false },
      },
    })
    expect((await member.post('/auth/verify')).body).toMatchObject({ user: { name: '新しい名前☆' } })
    expect(await writeTo(member, thread, '改名しました')).toMatchObject({ name: '新しい名前☆' })
    const posts = await visit(board).get<{ name: string }[]>(`/api/threads/${thread._id}/posts`)
    expect(posts.body.map((post) => post.name)).toEqual(['旧い名前', '新しい名前☆'])
    const [before, now] = [visit(board), visit(board)]
    expect((await before.post('/auth/login', { username: '旧い名前', password: PASSWORD })).status).toBe(401)
    expect((await now.post('/auth/login', { username: '新しい名前☆', password: PASSWORD })).status).toBe(200)
  })

  it('can change in case or width, and a request with the same name does not count as a change', async ({ board }) => {
    const member = await signUp(board, 'Kaede')
    for (const name of ['KAEDE', 'ｋａｅｄｅ', 'ｋａｅｄｅ', 'ｋａｅｄｅ', 'ｋａｅｄｅ', 'ｋａｅｄｅ']) {
      expect(await rename(member, name)).toMatchObject({ status: 200, body: { user: { name } } })
    }
  })

  it.for([
    ['without a text', undefined, 400, messages.name_required],
    ['empty', '', 400, messages.name_required],
    ['too short', '忍', 400, messages.username_length],
    ['too long', '忍'.repeat(21), 400, messages.username_length],
    ['with an @', 'a@b.jp', 400, messages.username_at],
    ['of the staff', '管　理人', 409, messages.username_taken],
    ['with a banned word', 'お前は死ね', 400, messages.username_banned],
  ] as const)(
    '%s is refused with its message, and does not count as a change',
    async ([, name, status, message], { board }) => {
      const member = await signUp(board)
      for (let index = 0; index < 6; index += 1) {
        const answer = await rename(member, name)
        expect([answer.status, (answer.body as { message: string }).message]).toEqual([status, message])
      }
      expect((await rename(member, `${member.name}改`)).status).toBe(200)
    },
  )

  it('of another member is refused in any spelling, and of two concurrent requests for one name one succeeds', async ({
    board,
  }) => {
    await signUp(board, 'ハヤテ丸')
    const [one, other] = [await signUp(board), await signUp(board)]
    for (const name of ['ハヤテ丸', 'はやて丸', 'ﾊﾔﾃ 丸']) {
      const answer = await rename(one, name)
      expect([answer.status, answer.body]).toEqual([409, { message: messages.username_taken, code: 'taken' }])
    }
    const race = await Promise.all([rename(one, '争いの名'), rename(other, '争いの名')])
    expect(race.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  it('is reserved for its former owner for thirty days after a change, and can be taken back meanwhile', async () => {
    const own = await openBoard()
    const [first, second] = [await signUp(own, '手放す名'), await signUp(own)]
    await rename(first, '次の名前')
    expect((await rename(second, '手放す名')).status).toBe(409)
    expect((await rename(first, '手放す名')).status).toBe(200)
    await rename(first, 'その次の名')
    const again = async (member: MemberGuest) => {
      expect((await member.post('/auth/refresh')).status).toBe(200)
      return (await rename(member, '手放す名')).status
    }
    own.clock.now += 29 * DAY
    expect(await again(second)).toBe(409)
    own.clock.now += 2 * DAY
    await second.post('/auth/login', { username: second.name, password: PASSWORD })
    expect(await again(second)).toBe(200)
    await own.close()
  })

  it('can change at most five times a day', async ({ board }) => {
    const member = await signUp(board, '気まぐれ零号')
    for (const name of ['一号', '二号', '三号', '四号', '五号'])
      expect((await rename(member, `気まぐれ${name}`)).status).toBe(200)
    const refused = await rename(member, '気まぐれ六号')
    expect([refused.status, refused.body]).toEqual([
      429,
      { message: messages.name_changed_too_often, code: 'too_many_requests' },
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
    expect((await profileOf(member)).name).toBe('気まぐれ五号')
  })
})

describe('a member’s picture', () => {
  const draw = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#0f766e' } })
  const blob = (bytes: Uint8Array | string, type = 'image/png') =>
    new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], { type })
  const upload = (member: Guest, image: Blob) =>
    member.form<{ picture: string; message: string }>('/auth/profile/image', { profileImage: image }, 'PUT')

  it('is cropped to 240 × 240 pixels, encoded as WebP without metadata, and replaces the former one', async ({
    board,
    helpers: { fileOf },
  }) => {
    const member = await signUp(board)
    const photo = await draw(600, 400)
      .withExif({ IFD0: { Copyright: '忍' } })
      .jpeg()
      .toBuffer()
    const first = await upload(member, blob(new Uint8Array(photo), 'image/jpeg'))
    expect(first.status).toBe(200)
    const served = await board.app.inject(first.body.picture)
    const metadata = await sharp(served.rawPayload).metadata()
    expect(metadata).toMatchObject({ format: 'webp', width: 240, height: 240 })
    expect(metadata.exif).toBeUndefined()
    expect((await profileOf(member)).picture).toBe(first.body.picture)
    const second = await upload(member, blob(new Uint8Array(await draw(20, 20).png().toBuffer())))
    expect(existsSync(fileOf(first.body.picture))).toBe(false)
    expect(existsSync(fileOf(second.body.picture))).toBe(true)
    expect((await member.post('/auth/verify')).body).toMatchObject({ user: { picture: second.body.picture } })
  })

  it('is not animated, and of two concurrent uploads one file stays', async ({ board, helpers: { files } }) => {
    const member = await signUp(board)
    const moving = new Uint8Array(
      await sharp([await draw(40, 40).png().toBuffer(), await draw(40, 40).negate().png().toBuffer()], {
        join: { animated: true },
      })
        .gif()
        .toBuffer(),
    )
    const before = files().length
    const answers = await Promise.all([upload(member, blob(moving, 'image/gif')), upload(member, blob(moving))])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(files()).toHaveLength(before + 1)
    const served = await board.app.inject((await profileOf(member)).picture!)
    expect((await sharp(served.rawPayload, { animated: true }).metadata()).pages ?? 1).toBe(1)
  })

  it('of a polyglot file has only the pixels', async ({ board }) => {
    const member = await signUp(board)
    const png = await draw(20, 20).png().toBuffer()
    const { body } = await upload(member, blob(Buffer.concat([png, Buffer.from('<script>alert(1)</script>')])))
    expect((await board.app.inject(body.picture)).rawPayload.includes('<script>')).toBe(false)
  })

  it.for([
    ['of more than 5 MB', () => blob(new Uint8Array(5_242_881)), 413, messages.profile_image_too_large],
    ['of five megabytes of nothing', () => blob(new Uint8Array(5_242_880)), 415, messages.image_type],
    [
      'that is an SVG with a script',
      () => blob('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'),
      415,
      messages.image_type,
    ],
    ['that is HTML', () => blob('<!doctype html><script>alert(1)</script>'), 415, messages.image_type],
    ['that is a PDF', () => blob('%PDF-1.7\n1 0 obj\n', 'image/jpeg'), 415, messages.image_type],
    [
      'that is a TIFF',
      async () => blob(new Uint8Array(await draw(20, 20).tiff().toBuffer())),
      415,
      messages.image_type,
    ],
    [
      'that is HTML which calls itself a GIF',
      () => blob('GIF89a<script>alert(1)</script>', 'image/gif'),
      400,
      messages.image_broken,
    ],
    ['that is empty', () => blob(''), 400, messages.image_broken],
  ] as const)(
    '%s is refused with its message, and the former one stays',
    async ([, make, status, message], { board, helpers: { files } }) => {
      const member = await signUp(board)
      const { body } = await upload(member, blob(new Uint8Array(await draw(20, 20).png().toBuffer())))
      const before = files()
      const answer = await upload(member, await make())
      expect([answer.status, answer.body.message]).toEqual([status, message])
      expect(files()).toEqual(before)
      expect((await profileOf(member)).picture).toBe(body.picture)
    },
  )

  it('is required in the upload, which gets 400 without it, and 401 without a session', async ({ board }) => {
    const member = await signUp(board)
    for (const answer of [
      await member.put('/auth/profile/image', { profileImage: 'x' }),
      await member.form('/auth/profile/image', { other: 'x' }, 'PUT'),
      await member.form('/auth/profile/image', { picture: blob('x') }, 'PUT'),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: messages.profile_image_missing, code: 'bad_image' },
      ])
    }
    expect((await upload(visit(board), blob('x'))).status).toBe(401)
  })
})
