/** A bar for each figure with a goal: the ratio of figure to goal, so that 1 is the goal. */
import { say, type Figure } from './figure.ts'

const LABEL_WIDTH = 570
const BAR_WIDTH = 440
const LINE = 26
const TOP = 34
/** Longer bars are cut off; the number beside them has the value. */
const MOST = 3

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export function plot(figures: readonly Figure[]): string {
  const bars = figures.flatMap(({ what, goal, value, unit }) => {
    if (goal === null) return []
    return [
      {
        what,
        factor: goal.is === 'at least' ? value / goal.value : goal.value / value,
        label: `${say(value)} ${unit}`,
      },
    ]
  })
  const x = (factor: number): number => LABEL_WIDTH + (Math.min(factor, MOST) / MOST) * BAR_WIDTH
  const height = TOP + bars.length * LINE + 10
  const width = LABEL_WIDTH + BAR_WIDTH + 90
  const lines = bars.map(({ what, factor, label }, index) => {
    const y = TOP + index * LINE
    const colour = factor >= 1 ? '#2f6f5e' : '#b23a2e'
    return `  <text x="${LABEL_WIDTH - 10}" y="${y + 14}" text-anchor="end">${escape(what)}</text>
  <rect x="${LABEL_WIDTH}" y="${y}" width="${(x(factor) - LABEL_WIDTH).toFixed(1)}" height="18" fill="${colour}"/>
  <text x="${(x(factor) + 6).toFixed(1)}" y="${y + 14}">${escape(label)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13" fill="#333">
  <rect width="100%" height="100%" fill="#fff"/>
  <text x="${x(1)}" y="18" text-anchor="middle">goal</text>
${lines.join('\n')}
  <line x1="${x(1)}" x2="${x(1)}" y1="${TOP - 8}" y2="${height - 6}" stroke="#333" stroke-dasharray="3 3"/>
</svg>
`
}
