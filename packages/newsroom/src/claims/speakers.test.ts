import { describe, expect, it } from 'vitest'
import { foldFacts } from './text.ts'
import { readPassages } from './passages.ts'
import { findMisattributed } from './speakers.ts'

const TEXT = `港町市は10日、市立中央図書館の開館時間を延ばすと発表した。気象庁によると、夜の港町市は冬も暖かい。
増える人件費は年間3千万円と見込まれる。市の担当者は「子どもから大人まで使える場所にしたい」と話した。
警察は事故の防止に協力する。川島洋子市長は記者会見で「夜も居場所になる図書館にする」と述べた。
同庁は「冷え込みには注意が必要だ」としている。
代表の三上直樹さん（41）は図書館を20年使ってきた。「夜の灯は心強い」と喜ぶ。
県警の捜査員は「見回りを増やす」と説明した。図書館は愛称を「よるとしょ」と決めた。`

const passages = readPassages(TEXT)
const find = (text: string, kind: 'title' | 'sentence' = 'sentence') =>
  findMisattributed(foldFacts(text), kind, passages)

describe('quotations of another speaker', () => {
  it.each([
    ['警察は「子どもから大人まで使える場所にしたい」と話した。', '警察'],
    ['川島洋子市長は「子どもから大人まで使える場所にしたい」と話した。', '川島洋子市長'],
    ['「夜も居場所になる図書館にする」と気象庁は説明した。', '気象庁'],
    ['市は時間を延ばし、警察は「夜も居場所になる図書館にする」と強調した。', '警察'],
    ['港町市によると、三上直樹さんは「見回りを増やす」と語った。', '三上直樹'],
    ['人件費が増えることについて気象庁が「夜の灯は心強い」とコメントした。', '気象庁'],
  ])('are refused: %s', (text, who) => {
    expect(find(text)).toEqual([who])
  })

  it('are refused in a title as well', () => {
    expect(find('気象庁長官「夜も居場所になる図書館にする」', 'title')).toEqual(['気象庁長官'])
    expect(find('川島市長「夜も居場所になる図書館にする」', 'title')).toEqual([])
  })

  it.each([
    '市の担当者は「子どもから大人まで使える場所にしたい」と話した。',
    '市は「子どもから大人まで使える場所にしたい」としている。',
    '川島市長は会見で「夜も居場所になる図書館にする」と述べた。',
    '市長の川島氏は、今後は「夜も居場所になる図書館」にしたいと話した。',
    '気象庁は「冷え込みには注意が必要だ」と呼びかけた。',
    '三上代表は「夜の灯は心強い」と喜んだ。',
    '三上さんは「夜の灯は心強い」と話す。',
    '警察は「見回りを増やす」と説明している。',
    '「夜の灯は心強い」と三上直樹さんは話した。',
    '住民の男性は「夜の灯は心強い」と話した。',
    '港町市の図書館は「よるとしょ」と呼ばれる。',
    '川島市長は、時間の延長は「居場所」づくりだと述べた。',
  ])('are accepted from their speaker, however the summary calls them: %s', (text) => {
    expect(find(text)).toEqual([])
  })
})
