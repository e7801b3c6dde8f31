import fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { NICKNAME } from '@shinobi/contract/limits'
import { cleanName, findProblem } from '@shinobi/contract/text'
import { foldForSearch } from '@shinobi/text/fold'
import { boardTest as it } from '../../testing/fixtures.ts'
import { foldedName } from './search.filter.ts'

it('PostgreSQL folds every name as the words of a search are folded', async ({ board }) => {
  const parts = [
    ...'忍ガがﾀﾞﾊﾟヴヷか゛aＡΣς①㈱㌔㎆﷽´￣゜∀ﾟД(･〜−- 　\u00ad\u034f\u1680\u200b𠮷',
    '👨‍👩‍👧',
    '❤️',
    'é',
    '葛\u{e0100}',
  ]
  const made = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => some.join(''))
  const names = fc
    .sample(made, { numRuns: 2_000, seed: 20_261_121 })
    .map(cleanName)
    .filter((name) => findProblem(name, NICKNAME, 'line') === null)
  const { rows } = await sql<{ name: string; folded: string }>`
    select name, trim(${foldedName(sql`name`)}) as folded
    from json_array_elements_text(${JSON.stringify(names)}::text::json) as names(name)`.execute(board.deps.db)
  expect(rows).toEqual(names.map((name) => ({ name, folded: foldForSearch(name) })))
})
