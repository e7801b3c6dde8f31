import type { Cluster } from './cluster.ts'
import type { Options } from './options.ts'
import { median } from './stats.ts'

export type Unit = '×' | '%' | 'ms' | 's' | 'MB' | 'kB' | 'points' | 'posts/s'

/** One line of the table. */
export interface Figure {
  readonly what: string
  readonly unit: Unit
  /** Median of the rounds. */
  readonly value: number
  readonly rounds: readonly number[]
  /** Null for a figure without a goal. */
  readonly goal: { readonly is: 'at least' | 'at most'; readonly value: number } | null
  /** Absolute figures and other details of the value. */
  readonly detail: string
}

/** A part of the bench: measures one idea, and returns its lines of the table. */
export interface Row {
  readonly name: string
  /** It needs databases of the caller's, and is measured only when it is named. */
  readonly isApart?: true
  readonly measure: (bench: Bench) => Promise<Figure[]>
}

export interface Bench {
  readonly options: Options
  readonly cluster: Cluster
  readonly say: (progress: string) => void
}

export const atLeast = (value: number) => ({ is: 'at least', value }) as const
export const atMost = (value: number) => ({ is: 'at most', value }) as const

export const toFigure = (
  what: string,
  unit: Unit,
  rounds: readonly number[],
  goal: Figure['goal'],
  detail: string,
): Figure => ({ what, unit, value: median(rounds), rounds, goal, detail })

export const isMet = ({ goal, value }: Figure): boolean | null =>
  goal === null ? null : goal.is === 'at least' ? value >= goal.value : value <= goal.value

/** Groups the digits of large numbers, and rounds small ones to significant digits. */
export const say = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value >= 10 ? value.toFixed(1) : value.toFixed(2)
