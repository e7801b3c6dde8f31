import { expect, it } from 'vitest'
import { MATTERS } from '../testing/outside/newspaper.ts'
import { findChanges } from './changes.ts'

const BEFORE = {
  title: '市、図書館を夜10時まで開館へ',
  text: '市は10日、図書館の開館時間を午後10時まで延ばすと発表した。\n利用者への調査では2300人が答えた。\n増える人件費は年間3千万円と見込まれる。',
}
const QUOTE = '利用者への調査では2300人が答えた'
const find = (change: Partial<typeof BEFORE>) => findChanges(BEFORE, { ...BEFORE, ...change }, [QUOTE])

it.each<[string, Partial<typeof BEFORE>, 'corrected' | 'stale', string]>([
  ['a correction', { text: `${BEFORE.text}\n【訂正】人件費の額に誤りがありました。` }, 'corrected', '訂正の言葉'],
  [
    'an apology',
    { text: `${BEFORE.text}\n当初の記事に間違いがありました。おわびして訂正します。` },
    'corrected',
    '訂正の言葉',
  ],
  ['a retraction', { text: `${BEFORE.text}\nこの記事を取り消します。` }, 'corrected', '訂正の言葉'],
  ['a correction in the title', { title: `【訂正】${BEFORE.title}` }, 'corrected', '訂正の言葉'],
  ['another title', { title: '市、図書館の夜間開館を見送り' }, 'stale', '見出しが変わりました（「市、図書館を夜10時'],
  ['another number', { text: BEFORE.text.replace('3千万円', '5千万円') }, 'stale', '数が変わりました'],
  [
    'a number in another spelling and value',
    { text: BEFORE.text.replace('午後10時', '午後９時') },
    'stale',
    '数が変わりました',
  ],
  ['a lost quote', { text: BEFORE.text.replace('利用者への調査', '市民への調査') }, 'stale', '引いた文が'],
])('%s is noticed', (_, change, kind, words) => {
  const found = find(change)
  expect(found?.kind).toBe(kind)
  expect(found?.told.join()).toContain(words)
})

it.each<[string, Partial<typeof BEFORE>]>([
  ['nothing', {}],
  ['more text at the end', { text: `${BEFORE.text}\n図書館は来年4月から夜も開く。` }],
  ['another width and spacing', { text: BEFORE.text.replace('2300人', '２３００人').replace('。\n', '。\n\n') }],
  ['another spelling of a number', { text: BEFORE.text.replace('3千万円', '3000万円') }],
  ['a correction of another matter', { text: `${BEFORE.text}\n市は先月の発表の資料も改めた。` }],
])('%s is no change', (_, change) => {
  expect(find(change)).toBeNull()
})

it('a correction that was there before is no news', () => {
  const before = { ...BEFORE, text: `${BEFORE.text}\n【訂正】人件費の額に誤りがありました。` }
  expect(findChanges(before, before, [QUOTE])).toBeNull()
})

it.each([
  '（２４日訂正：見出しの人数を直しました）',
  '＜訂正＞',
  '〈訂正しておわびします〉震度は５弱でした。',
  '訂正：社名は正しくは「北」です。',
  '当初の記事で「５人」としたのは「３人」の誤りです。',
  '本文に「２３００人」とあるのは「３２００人」の誤りでした。',
  ...['（この記事は２４日に修正しました）', '※初出時、人数に誤りがありました。', '見出しの一部を訂正しました。'],
  ...['This story has been corrected.', 'Correction: the library opens at nine.'],
])('a newspaper corrects itself: %s', (sentence) => {
  expect(find({ text: `${BEFORE.text}\n${sentence}` })?.kind).toBe('corrected')
})

it.each([
  ...['修正予算案が可決された。', '【修正案】与党が提示', '国会では本文の修正を求める声が出た。'],
  ...['県は見出しの訂正を求めました。', '社長は「おわびします。訂正します」と話した。'],
  ...['同社は会見で「深くお詫び申し上げる」と陳謝した。', '市は計画を修正し、おわびした。'],
  ...['市は設計に誤りがあったと説明しています。', 'The agency corrected its guidance.'],
])('news of a correction is none: %s', (sentence) => {
  expect(find({ text: `${BEFORE.text}\n${sentence}` })).toBeNull()
})

it.each([
  ['2時間前', '8時間前'],
  ['更新：2026年11月23日 13時03分', '更新：2026年11月23日 15時20分'],
  ['2026/11/23 13:03', '2026/11/23 15:20 更新'],
  ['コメント 12件', 'コメント 345件'],
])('a time or a counter that moves on is no change: %s', (before, now) => {
  const at = (line: string) => ({ ...BEFORE, text: `${line}\n${BEFORE.text}` })
  expect(findChanges(at(before), at(now), [QUOTE])).toBeNull()
})

it('sentences that differ only in their numbers are compared each with its own', () => {
  const text = '投票率は４５・２％。前回は５０・１％。\n市長選の投票率は４６・０％。前回は５２・３％。'
  const article = { title: '選挙の結果', text }
  expect(findChanges(article, article, [])).toBeNull()
  expect(findChanges(article, { ...article, text: text.replace('５２・３', '５３・３') }, [])?.told.join()).toContain(
    '→「前回は５３・３％。」',
  )
})

it('a long list of results does not keep the board waiting', () => {
  const text = Array.from({ length: 1_500 }, (_, place) => `港の記録は${place}。`).join('')
  const article = { title: '大会の結果', text }
  const start = performance.now()
  expect(findChanges(article, article, [])).toBeNull()
  expect(performance.now() - start).toBeLessThan(5_000)
})

it('none of a dozen articles differs from itself', () => {
  for (const { title, paragraphs } of MATTERS) {
    const article = { title, text: paragraphs.join('\n') }
    expect(findChanges(article, article, [paragraphs[0]!.slice(0, 40)])).toBeNull()
  }
})
