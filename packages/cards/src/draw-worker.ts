/** The worker thread of draw.ts: draws one picture after the other. */
import { parentPort } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'
import type { Card, Drawn } from './card.ts'
import { drawScene } from './scene.ts'

function draw(card: Card): Drawn {
  const svg = drawScene(card)
  if (svg === null) return { png: null }
  // The scene has no text elements, so no font is looked for.
  return { png: new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng() }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.on('message', (card: Card) => parentPort?.postMessage(draw(card)))
