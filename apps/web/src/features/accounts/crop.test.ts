import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centred, drag, placement, shapeOf, sourceSquare, zoomTo, ZOOM_MAX } from './crop.ts'

test('the initial crop is the largest square in the middle', () => {
  expect(sourceSquare(centred(shapeOf(400, 300)), 400, 300)).toEqual({ x: 50, y: 0, size: 300 })
  expect(placement(centred(shapeOf(400, 300)), shapeOf(400, 300)).top).toBe(0)
})

test('dragging moves the image, and stops at its edges', () => {
  const shape = shapeOf(400, 300)
  const right = drag(centred(shape), shape, 0.1, 0.5)
  expect(sourceSquare(right, 400, 300)).toMatchObject({ x: 20, y: 0 })
  expect(sourceSquare(drag(right, shape, 9, 9), 400, 300)).toMatchObject({ x: 0, y: 0 })
})

test('zooming keeps the image point under the fingers in place', () => {
  const shape = shapeOf(300, 300)
  const corner = { x: 0.25, y: -0.25 }
  const crop = zoomTo(centred(shape), shape, 2, corner)
  const { left, top, width } = placement(crop, shape)
  // The image point three quarters across and a quarter down.
  expect(left + 0.75 * width).toBeCloseTo(75)
  expect(top + 0.25 * width).toBeCloseTo(25)
})

test('after any dragging and zooming, the square is inside the image', () => {
  const move = fc.record({ dx: fc.double({ noNaN: true, min: -3, max: 3 }), zoom: fc.double({ noNaN: true, max: 20 }) })
  const edge = fc.integer({ min: 1, max: 9_000 })
  fc.assert(
    fc.property(edge, edge, fc.array(move), (width, height, moves) => {
      const shape = shapeOf(width, height)
      let crop = centred(shape)
      for (const { dx, zoom } of moves) crop = zoomTo(drag(crop, shape, dx, -dx), shape, zoom, { x: dx / 6, y: dx / 6 })
      const { x, y, size } = sourceSquare(crop, width, height)
      const slack = 1e-6 * Math.max(width, height)
      expect(crop.zoom).toBeLessThanOrEqual(ZOOM_MAX)
      expect(x).toBeGreaterThanOrEqual(-slack)
      expect(y).toBeGreaterThanOrEqual(-slack)
      expect(x + size).toBeLessThanOrEqual(width + slack)
      expect(y + size).toBeLessThanOrEqual(height + slack)
    }),
  )
})
