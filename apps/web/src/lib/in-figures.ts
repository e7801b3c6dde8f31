const format = new Intl.NumberFormat('ja-JP')

/** A number as it is read in Japanese: 12,345. `toLocaleString` makes a new format each time, which costs a page of posts a fifth of its rendering. */
export const inFigures = (value: number): string => format.format(value)
