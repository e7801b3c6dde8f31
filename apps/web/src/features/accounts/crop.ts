/**
 * The square of an image that is kept. A view shows the image so that the square fills it: `zoom` 1
 * is the largest possible square, and `x`, `y` are the square's centre. Lengths are fractions of
 * the image's shorter edge, independent of screen pixels.
 */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

/** Edges of an image as fractions of the shorter one: one of them is 1. */
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

/** The nearest crop whose square is inside the image. */
function settle({ x, y, zoom }: Crop, { width, height }: Shape): Crop {
  const scale = within(zoom, 1, ZOOM_MAX)
  const half = 1 / (2 * scale)
  return { x: within(x, half, width - half), y: within(y, half, height - half), zoom: scale }
}

/** Moves the image under the view by fractions of the view's edge, as when a finger drags it. */
export const drag = (crop: Crop, shape: Shape, dx: number, dy: number): Crop =>
  settle({ ...crop, x: crop.x - dx / crop.zoom, y: crop.y - dy / crop.zoom }, shape)

/**
 * Zooms around a point of the view, given relative to its centre in fractions of its edge: the
 * image point there stays in place, as far as the image's edges allow.
 */
export function zoomTo(crop: Crop, shape: Shape, zoom: number, at: { x: number; y: number } = { x: 0, y: 0 }): Crop {
  const scale = within(zoom, 1, ZOOM_MAX)
  const shift = 1 / crop.zoom - 1 / scale
  return settle({ x: crop.x + at.x * shift, y: crop.y + at.y * shift, zoom: scale }, shape)
}

/** Position of the image in the view, in percent of the view's edge. */
export const placement = ({ x, y, zoom }: Crop, { width, height }: Shape) => ({
  left: (0.5 - x * zoom) * 100,
  top: (0.5 - y * zoom) * 100,
  width: width * zoom * 100,
  height: height * zoom * 100,
})

/** The square in pixels of an image of that width and height. */
export function sourceSquare({ x, y, zoom }: Crop, width: number, height: number) {
  const shorter = Math.min(width, height)
  const size = shorter / zoom
  return { x: x * shorter - size / 2, y: y * shorter - size / 2, size }
}
