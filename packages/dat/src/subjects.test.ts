import { expect, it } from 'vitest'
import { encodeCp932 } from './cp932.ts'
import { readSubjects } from './subjects.ts'

it('lists of 2ch and JBBS give the titles of their threads, and other lines give nothing', () => {
  const list = '1100000000.dat<>題名(1) &amp; 話 (1000)\n1100000001.cgi,別の題(12)\r\nrubbish\n99.dat<>短い (1)\n'
  expect([...readSubjects(encodeCp932(list))]).toEqual([
    [1_100_000_000, '題名(1) & 話'],
    [1_100_000_001, '別の題'],
  ])
})
