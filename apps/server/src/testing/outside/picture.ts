import sharp from 'sharp'

/** An image of 9 × 9 pixels, as a form file. */
export async function picture(): Promise<Blob> {
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#402010' } })
    .png()
    .toBuffer()
  return new Blob([new Uint8Array(bytes)], { type: 'image/png' })
}

/** The bytes of such an image. */
export const pictureBytes = async (): Promise<Buffer> => Buffer.from(await (await picture()).arrayBuffer())
