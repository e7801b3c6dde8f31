import type { Card } from '@shinobi/cards/card'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { inFigures } from '@shinobi/contract/in-figures'
import type { CardRow } from './cards.queries.ts'

/** Each step needs a new picture, so there are few: a thread of a thousand posts has ten in all. */
const STEPS = [10, 30, 50, 100, 200, 300, 500, 700, 1_000, 2_000, 5_000, 10_000]

export function toCard({ title, category, postCount, aiGenerated, summary }: CardRow): Card {
  const step = STEPS.findLast((posts) => posts <= postCount)
  return {
    title,
    category: categoryLabel(category),
    posts: step === undefined ? null : `レス ${inFigures(step)}${step === postCount ? '' : '+'}`,
    seal: aiGenerated ? 'AI要約' : summary === 'extractive' ? '抜粋要約' : summary === 'headline' ? '見出しのみ' : null,
  }
}
