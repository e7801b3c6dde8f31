import { expect, it } from 'vitest'
import { withAdvice } from './advice.ts'

it.each([
  ['JSONとして読める回答がありませんでした。', '決められた形のJSONだけを返してください。'],
  ['2文目: 記事のその箇所にない重大な事柄があります（「辞任」）。', '記事に書かれていることだけを書いてください。'],
  ['見出し: ハングルがあります。', '日本語の文で書いてください。'],
  // Words in brackets are the article's, and must not be read as a finding.
  ['1文目: 「」の中の言葉が記事にありません（「引用が多すぎます」）。', ''],
  ['3文目: 前の文と同じです。', ''],
])('the model gets advice about a finding: %s', (finding, advice) => {
  expect(withAdvice(finding)).toBe(`${finding}${advice}`)
})
