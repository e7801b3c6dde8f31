/** Finds people whom a claim gives another role than the article: 教授 for 准教授, 首相 for 外相. */
import type { Claim } from './evidence.ts'
import { TITLES } from './names.lists.ts'
import { readNames } from './names.ts'

/** Forms of address; they say nothing of a role. */
const ADDRESS = /^(?:さん|氏|君|くん|ちゃん|様|さま|ら|たち|夫妻|両|[都道府県市区町村]?(?:出身|在住|生ま?れ?))/u
/** They change the role before which they stand: 副社長 is no 社長. */
const CHANGES = /(?:准|副|元|前|次|助|次期|代理|補佐|夫人|候補)$/u
/** 作曲家の, before a name. */
const PROFESSION = /([\p{Script=Han}ァ-ヺー]{1,5}[家手官師士授優督議])の$/u
/** One character is the end of a place: 鎌倉市. */
const TITLE = String.raw`(?<title>[\p{Script=Han}ァ-ヺー]{2,12})`
/** Not みなと信金, which names no person. */
const OF_PERSON = new RegExp(`(?:${TITLES.join('|')}|[家手官師士授優督議員者長役務事主])$`, 'u')

/** The people with a title of which the article knows another, with that title. */
export function findOtherRoles(claim: Claim, article: string): string[] {
  return readNames(claim.words).flatMap(({ text: name, kind, start, end }) => {
    const before = kind === '人名' ? PROFESSION.exec(claim.text.slice(0, start))?.[1] : undefined
    if (before !== undefined && !article.includes(before)) return [`${before}の${name}`]
    const title = titleAfter(claim.text.slice(end))
    if (title === null) return []
    const known = titlesOf(name, article)
    if (known.length === 0 || known.some((one) => isSame(one, title))) return []
    return article.includes(`${title}の${name}`) || article.includes(`${title}${name}`) ? [] : [`${name}${title}`]
  })
}

function titleAfter(after: string): string | null {
  const title = new RegExp(`^${TITLE}`, 'u').exec(after)?.groups?.['title'] ?? null
  return title !== null && isRole(title) ? title : null
}

const isRole = (title: string): boolean => !ADDRESS.test(title) && OF_PERSON.test(title)

const titlesOf = (name: string, article: string): string[] =>
  [...article.matchAll(new RegExp(`${RegExp.escape(name)}(?:\\([^)]*\\))?${TITLE}`, 'gu'))]
    .map(({ groups }) => groups!['title']!)
    .filter(isRole)

function isSame(one: string, other: string): boolean {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one]
  if (long.startsWith(short)) return !/^(?:候補|代理|補佐|夫人)/u.test(long.slice(short.length))
  return long.endsWith(short) && !CHANGES.test(long.slice(0, -short.length))
}
