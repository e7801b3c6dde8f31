/**
 * Which square of an image is kept. A view shows the image so that the square fills it: `zoom` 1 is the largest square there is, and
 * `x`, `y` are the square's middle. Lengths are parts of the image's shorter edge, so that no pixel of the screen comes into it.
 */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

/** Edges of an image as parts of the shorter one: one of them is 1. */
export interface Shape {
  readonly width: number
  readonly height: number
}

export const ZOOM_MAX = 5

export function shapeOf(width: number, height: number): Shape {
  const shorter = Math.min(width, height)
  return { width: width / shorter, height: height / shorter }
}

export const centred = ({ width, height }: Shape): Crop => ({ x: width / 2, y: height / 2, zoom: 1 })

const within = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

/** The nearest crop whose square lies inside the image. */
function settle({ x, y, zoom }: Crop, { width, height }: Shape): Crop {
  const scale = within(zoom, 1, ZOOM_MAX)
  const half = 1 / (2 * scale)
  return { x: within(x, half, width - half), y: within(y, half, height - half), zoom: scale }
}

/** Moves the image under the view by parts of the view's edge, as a finger drags it. */
export const drag = (crop: Crop, shape: Shape, dx: number, dy: number): Crop =>
  settle({ ...crop, x: crop.x - dx / crop.zoom, y: crop.y - dy / crop.zoom }, shape)

/** Zooms around a point of the view, given from its middle in parts of its edge: what is there stays there, as far as the image reaches. */
export function zoomTo(crop: Crop, shape: Shape, zoom: number, at: { x: number; y: number } = { x: 0, y: 0 }): Crop {
  const scale = within(zoom, 1, ZOOM_MAX)
  const shift = 1 / crop.zoom - 1 / scale
  return settle({ x: crop.x + at.x * shift, y: crop.y + at.y * shift, zoom: scale }, shape)
}

/** Where the image lies in the view, in percent of the view's edge. */
export const placement = ({ x, y, zoom }: Crop, { width, height }: Shape) => ({
  left: (0.5 - x * zoom) * 100,
  top: (0.5 - y * zoom) * 100,
  width: width * zoom * 100,
  height: height * zoom * 100,
})

/** The square in pixels of an image that is so many wide and high. */
export function sourceSquare({ x, y, zoom }: Crop, width: number, height: number) {
  const shorter = Math.min(width, height)
  const size = shorter / zoom
  return { x: x * shorter - size / 2, y: y * shorter - size / 2, size }
}
