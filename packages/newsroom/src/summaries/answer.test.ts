import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnswer } from './answer.ts'

const SUMMARY = { title: '見出し', sentences: [{ text: '文です。', quote: '「{引用}」と"述べた' }] }
const JSON_TEXT = JSON.stringify(SUMMARY)

test.each([
  ['as it was asked for', JSON_TEXT],
  ['in a code fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
  ['with prose before and behind it', `要約です: ${JSON_TEXT} 以上 {です}。`],
  ['behind thoughts that hold braces', `<think>{"title": 1} とする { か</think>\n${JSON_TEXT}`],
  ['behind thoughts whose opening tag a template swallowed', `まず考える {…}\n</think>${JSON_TEXT}`],
  ['behind another object', `{"note":"要約の前に"} ${JSON_TEXT}`],
  ['over many lines', JSON.stringify(SUMMARY, null, 2)],
  ['with commas before closing brackets', JSON_TEXT.replace('}]', '},]').replace(/\}$/u, ',\n}')],
  ['with fields that nobody asked for', JSON.stringify({ ...SUMMARY, language: 'ja' })],
])('a summary is read %s', (_, answer) => {
  expect(readAnswer(answer)).toEqual(SUMMARY)
})

test('commas within a text stay when those before closing brackets are removed', () => {
  const answer = '{"title":"a,]","sentences":[{"text":"b,}","quote":"c, ]",},],}'
  expect(readAnswer(answer)).toEqual({ title: 'a,]', sentences: [{ text: 'b,}', quote: 'c, ]' }] })
})

test.each([
  ['nothing', ''],
  ['prose', '要約できません。'],
  ['the summary only in thoughts', `<think>${JSON_TEXT}`],
  ['JSON that ends in the middle', JSON_TEXT.slice(0, -4)],
  ['sentences that are only texts', '{"title":"見出し","sentences":["文です。"]}'],
  ['no title', '{"sentences":[]}'],
  ['a list', `[${'{'.repeat(50)}`],
])('an answer that holds %s is refused', (_, answer) => {
  expect(readAnswer(answer)).toBeNull()
})

test('an answer with too many sentences is refused', () => {
  const answerOf = (sentences: number) =>
    JSON.stringify({ ...SUMMARY, sentences: Array.from({ length: sentences }, () => SUMMARY.sentences[0]) })
  expect(readAnswer(answerOf(20))?.sentences).toHaveLength(20)
  expect(readAnswer(answerOf(21))).toBeNull()
})

test('an answer of more than 100 kB is refused, wherever in it a summary stands', () => {
  const fill = 'あ'.repeat(33_000)
  expect(readAnswer(`${fill}${JSON_TEXT}`)).toEqual(SUMMARY)
  expect(readAnswer(`${JSON_TEXT}${fill}あああ${'あ'.repeat(400)}`)).toBeNull()
})

test('line breaks and wide gaps in a sentence become a space, but quotes are not changed inside', () => {
  const answer = JSON.stringify({ title: ' 見\n出し ', sentences: [{ text: '文　 です。\n', quote: ' 引\n用 ' }] })
  expect(readAnswer(answer)).toEqual({ title: '見 出し', sentences: [{ text: '文 です。', quote: '引\n用' }] })
})

test('any answer of a model is read without an error', () => {
  const pieces = fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '<think>', '</think>', '```', JSON_TEXT, 'あ')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const summary = readAnswer(parts.join(''))
      expect(summary === null || summary.title === '見出し').toBe(true)
    }),
  )
})
