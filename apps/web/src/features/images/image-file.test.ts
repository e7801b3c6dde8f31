import { expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import { findImageProblem, prepareImage } from './image-file.ts'

/** A chosen file: a reference to the disk, which ends when the file is changed or deleted there. */
class FileOnDisk extends File {
  isGone = false
  override async arrayBuffer(): Promise<ArrayBuffer> {
    if (this.isGone) throw new DOMException('The file could not be read.', 'NotReadableError')
    return super.arrayBuffer()
  }
}
const choose = () => new FileOnDisk(['the moon'], 'moon.gif', { type: 'image/gif' })

it('an image is attached as it was chosen, although its file is changed or deleted before it is sent', async () => {
  const chosen = choose()
  const attached = await prepareImage(chosen)
  chosen.isGone = true
  expect(new TextDecoder().decode(await attached.arrayBuffer())).toBe('the moon')
  const { name, type, lastModified } = chosen
  expect(attached).toMatchObject({ name, type, lastModified })
})

it('an image whose file was deleted after it was chosen cannot be attached', async () => {
  const chosen = choose()
  chosen.isGone = true
  await expect(prepareImage(chosen)).rejects.toThrow('could not be read')
})

it('an empty file cannot be attached', () => {
  expect(findImageProblem({ type: 'image/jpeg', size: 0 })).toBe(messages.image_broken)
  expect(findImageProblem({ type: 'image/jpeg', size: 1 })).toBe(null)
})
