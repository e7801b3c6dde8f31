/** Finds in a page what keeps people with disabilities out, by the rules of axe. */
import type { Page } from '@playwright/test'
import type { default as Axe, ImpactValue, RunOptions } from 'axe-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Finding {
  readonly rule: string
  readonly impact: ImpactValue | undefined
  readonly html: string
  /** Selector of the element. */
  readonly target: string
}

interface Options {
  /** Selector of the part that is examined; default: the page, which has no frames. */
  readonly within?: string
  /** Default: all rules that axe has switched on. */
  readonly rules?: RunOptions
}

export async function findingsOf(page: Page, { within = 'html', rules = {} }: Options = {}): Promise<Finding[]> {
  // Once for each document: reading it takes longer than most examinations.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SCRIPT)
  return page.evaluate(
    async ([selector, options]) => {
      const { axe } = window as unknown as { axe: typeof Axe }
      const { violations } = await axe.run(selector, options)
      return violations.flatMap(({ id, impact, nodes }) =>
        nodes.map(({ html, target }) => ({ rule: id, impact: impact ?? undefined, html, target: String(target[0]) })),
      )
    },
    [within, { ...rules, resultTypes: ['violations'] }] satisfies [string, RunOptions],
  )
}
