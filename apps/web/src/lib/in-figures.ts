const format = new Intl.NumberFormat('ja-JP')

/**
 * Formats a number in the Japanese form: 12,345. `toLocaleString` creates a format per call, which
 * takes a fifth of the rendering time of a page of posts.
 */
export const inFigures = (value: number): string => format.format(value)
