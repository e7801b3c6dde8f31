import { expect, it } from 'vitest'
import { findLongComments } from './columns.mjs'

const long = 'x'.repeat(101)

it('comments of more than 100 columns are found in each form', () => {
  const text = [`// ${long}`, `  /** ${long} */`, ` * ${long}`, '// short', `const code = '${long}'`].join('\n')
  expect(findLongComments('a.ts', text)).toEqual(['a.ts:1: 104 columns', 'a.ts:2: 110 columns', 'a.ts:3: 104 columns'])
})

it('lines that cannot be wrapped may be longer', () => {
  expect(findLongComments('a.ts', `// https://example.jp/${long}\n// oxlint-disable-next-line ${long}`)).toEqual([])
})
