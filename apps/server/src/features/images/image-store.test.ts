import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { IMAGE_ANIMATION_PIXELS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { openImageFolder } from './image-folder.ts'
import { createImageStore, unreadable, type ImageStore } from './image-store.ts'

let dataDir: string
let images: ImageStore
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'shinobi-images-'))
  images = createImageStore(openImageFolder(dataDir), { add: async () => {}, takeOff: async () => {} })
})
afterAll(() => rmSync(dataDir, { recursive: true }))

const served = (): string => join(dataDir, 'images')

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#102030' }, limitInputPixels: false })

/** The result for a picture: its dimensions, or why it is refused. */
const keep = (bytes: Buffer, asker = '') =>
  images.save(bytes, { asker }).then(
    ({ width, height }) => `${width} x ${height}`,
    (error: Error) => error.message,
  )

it('a picture that must be decoded as a whole may have fewer pixels than one decoded line by line', async () => {
  const large = picture(6_000, 4_100)
  expect(await keep(await large.clone().jpeg().toBuffer())).toBe('2048 x 1399')
  const whole = [
    large.clone().jpeg({ progressive: true }),
    large.clone().png({ progressive: true }),
    large.clone().gif(),
  ]
  for (const one of whole) {
    const bytes = await one.toBuffer()
    expect(await keep(bytes)).toBe(messages.image_too_many_pixels)
    await expect(images.saveSquare(bytes, 240)).rejects.toThrow(messages.image_too_many_pixels)
  }
  expect(await keep(await picture(600, 410).jpeg({ progressive: true }).toBuffer())).toBe('600 x 410')
})

it('a picture that takes too long is refused for good, and is not called broken', async () => {
  const slow = picture(6_000, 6_000).timeout({ seconds: 1 }).blur(200).webp({ lossless: true, effort: 6 }).toBuffer()
  const error = await slow.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(unreadable(error)).toMatchObject({ code: 'bad_image', message: messages.image_too_slow })
})

/** A GIF whose frames all differ. */
const animation = (width: number, height: number, frames: number) =>
  sharp(
    Buffer.concat(
      Array.from({ length: frames }, (_, frame) => Buffer.alloc(width * height * 3, frame % 2 === 0 ? 16 : 240)),
    ),
    { raw: { width, height: height * frames, channels: 3, pageHeight: height }, limitInputPixels: false },
  )
    .gif({ effort: 1, colours: 2, dither: 0 })
    .toBuffer()

it('an animation keeps its frames, and is made smaller when all of them have too many pixels', async () => {
  expect(await keep(await animation(300, 200, 4))).toBe('300 x 200')
  const { key, width, height } = await images.save(await animation(1_000, 500, 40))
  expect(width / height).toBeCloseTo(2, 1)
  expect(width * height * 40).toBeLessThanOrEqual(IMAGE_ANIMATION_PIXELS)
  expect(width * height * 40).toBeGreaterThan(0.95 * IMAGE_ANIMATION_PIXELS)
  expect(await sharp(join(served(), `${key}.webp`)).metadata()).toMatchObject({ width, height, pages: 40 })
})

it('a picture of nearly a line is refused before it is decoded', async () => {
  for (const [width, height] of [
    [1, 300],
    [300, 1],
    [20_001, 1_000],
    [1, 1_000_000],
  ] as const) {
    const bytes = await picture(width, height).png().toBuffer()
    expect([width, height, await keep(bytes)]).toEqual([width, height, messages.image_too_long])
    await expect(images.saveSquare(bytes, 240)).rejects.toThrow(messages.image_too_long)
  }
  expect(await keep(await picture(20_000, 200).png().toBuffer())).toBe('2048 x 20')
})

it('in a flood of pictures those that would wait too long are refused at once', async () => {
  const bytes = await picture(8, 8).png().toBuffer()
  const kept = await Promise.all(Array.from({ length: 40 }, (_, sender) => keep(bytes, `198.51.100.${sender}`)))
  expect(kept.filter((one) => one === '8 x 8')).toHaveLength(32)
  expect(kept.filter((one) => one === messages.unavailable)).toHaveLength(8)
})

it('a flood of pictures of a few senders leaves places in the queue for others', async () => {
  const bytes = await picture(8, 8).png().toBuffer()
  const flood = Array.from({ length: 36 }, (_, count) => keep(bytes, `198.51.100.${count % 4}`))
  const others = [5, 6, 7].map((sender) => keep(bytes, `198.51.100.${sender}`))
  expect(await Promise.all(others)).toEqual(['8 x 8', '8 x 8', '8 x 8'])
  const kept = (await Promise.all(flood)).filter((one) => one === '8 x 8')
  expect(kept).toHaveLength(29)
})

it('pictures of one sender are stored one after the other, and leave a decoder to everybody else', async () => {
  const [slow, quick] = await Promise.all([picture(1_200, 1_200).png().toBuffer(), picture(8, 8).png().toBuffer()])
  const done: string[] = []
  const storing = Array.from({ length: 12 }, () =>
    keep(slow, '198.51.100.1').then((result) => {
      done.push('slow')
      return result
    }),
  )
  await keep(quick, '198.51.100.2')
  done.push('quick')
  const kept = await Promise.all(storing)
  expect(kept).toEqual([
    ...Array.from({ length: 9 }, () => '1200 x 1200'),
    ...Array.from({ length: 3 }, () => messages.too_many_requests),
  ])
  // The three refused ones, and the one in its decoder at most.
  expect(done.indexOf('quick')).toBeLessThanOrEqual(4)
})

it('a hidden picture is not in the served folder, however often it is hidden, and can be restored', async () => {
  const filesOf = (key: string, area = 'images') =>
    readdirSync(join(dataDir, area)).filter((name) => name.startsWith(key))
  const image = await images.save(await picture(8, 8).png().toBuffer())
  const both = filesOf(image.key)
  expect(both).toHaveLength(2)
  await images.show(image)
  expect(filesOf(image.key)).toEqual(both)

  await images.hide(image)
  await images.hide(image)
  expect(filesOf(image.key)).toEqual([])
  await images.show(image)
  expect(filesOf(image.key)).toEqual(both)

  // A picture without a small copy.
  const square = await images.saveSquare(await picture(8, 8).png().toBuffer(), 8)
  await images.hide(square)
  expect(filesOf(square.key)).toEqual([])

  await images.hide(image)
  await images.remove(image)
  await images.show(image)
  expect(filesOf(image.key)).toEqual([])
  expect(filesOf(image.key, 'images-hidden')).toEqual([])
})

/** Calls `heard` with each file and folder that is synced from now on, before the sync. */
async function listenToSyncs(heard: (path: string) => void): Promise<void> {
  const handle = await open(served(), 'r')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { sync } = prototype
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
    heard(readlinkSync(`/proc/self/fd/${this.fd}`))
    return sync.call(this)
  })
  onTestFinished(() => spy.mockRestore())
}

it.runIf(process.platform === 'linux')(
  'the names of a saved or hidden picture are synced to the disk before the call returns',
  async () => {
    const bytes = await picture(8, 8).png().toBuffer()
    const seen: { path: string; names: string[] }[] = []
    await listenToSyncs((path) => seen.push({ path, names: readdirSync(served()) }))
    const { key } = await images.save(bytes)
    const last = seen.at(-1)!
    expect(last.path).toBe(served())
    expect(last.names).toEqual(expect.arrayContaining([`${key}.webp`, `${key}-s.webp`]))

    seen.length = 0
    await images.hide({ key, width: 8, height: 8 })
    expect(seen.map(({ path }) => path).slice(-2)).toEqual([join(dataDir, 'images-hidden'), served()])
    expect(seen.at(-1)!.names).not.toContain(`${key}.webp`)
  },
)
