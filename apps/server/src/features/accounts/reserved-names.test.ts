import { expect, it } from 'vitest'
import { isReservedName } from './reserved-names.ts'

it.each([
  ...[
    '管理人',
    '【管理人】',
    '管理人☆',
    '管理人（本物）',
    '管理人(公式)',
    '本物の管理人'.replace('の', ''),
    '運営【忍板】',
    '★運営★',
    '半蔵【運営】',
    '楓（しのび）(admin)',
  ],
  ...[
    'kanri☆',
    'ＫＡＮＲＩ',
    'ᏦᎪNᎡI',
    'ꓮꓓꓟꓲꓠ',
    'ᗩᗪᗰIᑎ',
    'аdmin',
    'a.d.m.i.n',
    'UNEI',
    '名無し',
    '名無しさん',
    'ナナシさん',
    '名無し（管理人）',
    'かんりにん',
    'ｶﾝﾘﾆﾝ',
    'カンリシャ',
    'うんえい',
    'ウンエイ（本物）',
    '運営チーム',
    '忍板スタッフ',
    '運営さん',
    '管理人です',
    '副管理人',
    'アドミン',
    '削除',
    'あぼーん',
  ],
])('%s is reserved', (name) => {
  expect(isReservedName(name)).toBe(true)
})

it.each([
  ...[
    '影丸',
    '管理栄養士',
    '運営費',
    '運営費さん',
    '田中さん',
    'うんえいひ',
    '名無しの忍者',
    '公家',
    '真田',
    '本人',
    'モデル',
    'adm',
    'kanrisyoku',
    '楓（本物）',
    '☆',
    '（）',
    '木の葉【隠れ】',
  ],
  ...['Ꮶ', '管', '真', 'official?'.slice(0, 3)],
])('%s is not reserved', (name) => {
  expect(isReservedName(name)).toBe(false)
})
