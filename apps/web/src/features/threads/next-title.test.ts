import { TITLE } from '@shinobi/contract/limits'
import { countGraphemes, findProblem } from '@shinobi/contract/text'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toNextTitle } from './next-title.ts'

test.each([
  // No number: the second thread of a series begins to count.
  ['今夜の月', '今夜の月 ★2'],
  ['速報★', '速報★ ★2'],
  ['2026年の予算', '2026年の予算 ★2'],
  ['3人の忍者 ', '3人の忍者 ★2'],
  // ★
  ['【速報】地震 ★2', '【速報】地震 ★3'],
  ['【速報】地震★9', '【速報】地震★10'],
  ['地震 ★ 2', '地震 ★ 3'],
  ['地震 ☆２', '地震 ☆３'],
  ['地震 ★９', '地震 ★１０'],
  ['地震 ★2 [転載禁止]', '地震 ★3 [転載禁止]'],
  ['★1 と ★2 を比べる ★7', '★1 と ★2 を比べる ★8'],
  ['【第3回】WBC 日本対韓国 ★12', '【第3回】WBC 日本対韓国 ★13'],
  // Part
  ['雑談スレ Part 2', '雑談スレ Part 3'],
  ['雑談スレ part2', '雑談スレ part3'],
  ['雑談スレ PART.99', '雑談スレ PART.100'],
  ['雑談スレ Part09', '雑談スレ Part10'],
  ['雑談スレ Ｐａｒｔ２', '雑談スレ Ｐａｒｔ３'],
  ['雑談パート3', '雑談パート4'],
  ['雑談パート３', '雑談パート４'],
  // その
  ['忍術相談 その2', '忍術相談 その3'],
  ['忍術相談 その二', '忍術相談 その三'],
  ['忍術相談 その九', '忍術相談 その十'],
  ['忍術相談 その十', '忍術相談 その十一'],
  ['忍術相談 その十九', '忍術相談 その二十'],
  ['忍術相談 その九十九', '忍術相談 その百'],
  ['忍術相談 その百九', '忍術相談 その百十'],
  ['忍術相談 その一〇', '忍術相談 その一一'],
  ['忍術相談 その２', '忍術相談 その３'],
  // 目
  ['質問スレ 2スレ目', '質問スレ 3スレ目'],
  ['質問 三本目', '質問 四本目'],
  ['質問 12枚目', '質問 13枚目'],
  // Brackets, 第, vol., #
  ['【2】夜の雑談', '【3】夜の雑談'],
  ['夜の雑談【２】', '夜の雑談【３】'],
  ['【2026】衆院選', '【2026】衆院選 ★2'],
  ['夜の雑談 (2)', '夜の雑談 (3)'],
  ['夜の雑談（9）', '夜の雑談（10）'],
  ['夜の雑談 [2]', '夜の雑談 [3]'],
  ['夜話 第2夜', '夜話 第3夜'],
  ['夜話 第二夜', '夜話 第三夜'],
  ['夜話 第2', '夜話 第3'],
  ['夜話 第２部 開幕', '夜話 第３部 開幕'],
  ['夜話 vol.2', '夜話 vol.3'],
  ['夜話 Vol. 9', '夜話 Vol. 10'],
  ['実況 #2', '実況 #3'],
  ['雑談スレ2', '雑談スレ3'],
  ['雑談スレッド 19', '雑談スレッド 20'],
  // Numbers that belong to the subject.
  ['第49回衆院選を語る', '第49回衆院選を語る ★2'],
  ['第9条をどうする', '第9条をどうする ★2'],
  ['第1話の感想 ★3', '第1話の感想 ★4'],
  ['そのうち二番目に', 'そのうち二番目に ★2'],
  ['10000円の使い道 ★10000', '10000円の使い道 ★10000 ★2'],
])('%s is followed by %s', (title, next) => {
  expect(toNextTitle(title)).toBe(next)
})

test('a title of 100 characters makes room for its number', () => {
  const appended = toNextTitle('あ'.repeat(100))
  expect(appended).toBe(`${'あ'.repeat(97)} ★2`)
  const raised = toNextTitle(`${'👨‍👩‍👧'.repeat(98)}★9`)
  expect(raised.endsWith('★10')).toBe(true)
  expect(countGraphemes(raised)).toBe(100)
  expect(toNextTitle(`【9】${'あ'.repeat(97)}`)).toBe(`【10】${'あ'.repeat(96)}`)
})

test('the next title of any valid title is valid, and another one', () => {
  const title = fc
    .array(fc.constantFrom(...'★あ2９十第その【】 Part#(スレ目)👨‍👩‍👧か゛'), { minLength: 3, maxLength: 100 })
    .map((parts) => parts.join('').trim())
    .filter((text) => findProblem(text, TITLE, 'line') === null)
  fc.assert(
    fc.property(title, (text) => {
      const next = toNextTitle(text)
      expect(findProblem(next, TITLE, 'line')).toBeNull()
      expect(next).not.toBe(text)
    }),
  )
})
