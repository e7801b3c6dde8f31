import { expect, it } from 'vitest'
import type { ModelPause, NewsIdle } from '@shinobi/contract/news'
import { explainFates, type Fate } from './idle.rules.ts'

const fate = (kind: Fate['kind'], count: number, problem: Fate['problem'] = null): Fate => ({ kind, count, problem })

it('says nothing where a thread was opened', () => {
  expect(explainFates([fate('waiting', 3), fate('published', 1)], null)).toBeNull()
})

it.each<[string, Fate[], ModelPause | null, NewsIdle['kind'], number]>([
  ['nothing was found', [], null, 'nothing_new', 0],
  ['a person decides, whatever else there is', [fate('new', 5), fate('waiting', 2)], 'budget', 'waiting', 2],
  ['the hour has its threads', [fate('refused', 9, 'robots'), fate('ready', 4)], null, 'turn', 4],
  ['the budget is used up', [fate('new', 4), fate('refused', 9, 'robots')], 'budget', 'no_budget', 4],
  ['the model is away', [fate('new', 4)], 'failures', 'model_away', 4],
  ['they are being summarised', [fate('new', 4)], null, 'under_way', 4],
  ['they are being read, model or not', [fate('unread', 4)], 'failures', 'under_way', 4],
  ['an administrator rejected them', [fate('rejected', 1), fate('merged', 3)], null, 'rejected', 1],
  ['they told what others told', [fate('merged', 3)], null, 'merged', 3],
])('tells the reason that is nearest to a thread: %s', (_, fates, paused, kind, count) => {
  expect(explainFates(fates, paused)).toEqual({ kind, count, problem: null })
})

it('names the commonest of several reasons, and counts all of them', () => {
  const refused = [fate('refused', 2, 'opt_out'), fate('refused', 5, 'ungrounded'), fate('refused', 1, 'robots')]
  expect(explainFates([...refused, fate('merged', 9)], null)).toEqual({
    ...{ kind: 'refused', count: 8, problem: 'ungrounded' },
  })
})
