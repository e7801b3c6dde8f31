/** The worker thread of draw.ts: draws one picture after the other. */
import { Resvg } from '@resvg/resvg-js'
import { answerQuestions } from '@shinobi/worker-thread/answer-questions'
import type { Card, Drawn } from './card.ts'
import { drawScene } from './scene.ts'

function draw(card: Card): Drawn {
  const svg = drawScene(card)
  if (svg === null) return { png: null }
  // The scene has no text elements, so no font is looked for.
  return { png: new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng() }
}

answerQuestions(draw)
