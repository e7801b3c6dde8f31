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

it('none of a dozen articles differs from itself', () => {
  for (const { title, paragraphs } of MATTERS) {
    const article = { title, text: paragraphs.join('\n') }
    expect(findChanges(article, article, [paragraphs[0]!.slice(0, 40)])).toBeNull()
  }
})
