/** The fields of a source, validated by the rules of the server's schema. */
import { findComplaint, sourceNameWords } from '@shinobi/contract/complaints'
import { NEWS_URL_CHARACTERS } from '@shinobi/contract/limits'
import { NEWS_INTERVAL_MINUTES, NEWS_NAME } from '@shinobi/contract/staff-limits'
import { messages } from '@shinobi/contract/messages'
import type { NewsPermission, NewsSource, NewsSourceInput } from '@shinobi/contract/news'
import { cleanLine, LANGUAGE_TAG } from '@shinobi/contract/text'
import { isWebAddress } from '@shinobi/contract/web-address'

/** What a list of sources has for all of them, as typed. */
export interface SharedFields {
  categoryId: string
  language: string
  permission: NewsPermission
  interval: string
  active: boolean
}

/** As typed. */
export interface SourceFields extends SharedFields {
  url: string
  name: string
}

export type SourceProblems = Partial<Record<'url' | 'name' | 'categoryId' | 'language' | 'interval', string>>

export const newSource = (categoryId: string): SourceFields => ({
  url: '',
  name: '',
  categoryId,
  language: 'ja',
  permission: 'headline',
  interval: String(NEWS_INTERVAL_MINUTES.usual),
  active: true,
})

export const fieldsOf = ({ intervalMinutes, categoryId, ...source }: NewsSource): SourceFields => ({
  ...source,
  categoryId: categoryId ?? '',
  interval: String(intervalMinutes),
})

const isFeedAddress = (url: string): boolean => url.length <= NEWS_URL_CHARACTERS && isWebAddress(url)

const findNameProblem = (name: string): string | null =>
  findComplaint(cleanLine(name), NEWS_NAME, 'line', sourceNameWords)

/** Whole minutes, also in full-width digits; null for anything else, or out of range. */
export function readInterval(text: string): number | null {
  const digits = text.normalize('NFKC').trim()
  if (!/^\d{1,5}$/.test(digits)) return null
  const minutes = Number(digits)
  return minutes >= NEWS_INTERVAL_MINUTES.min && minutes <= NEWS_INTERVAL_MINUTES.max ? minutes : null
}

export const findSharedProblems = ({ categoryId, language, interval }: SharedFields): SourceProblems => ({
  ...(categoryId === '' && { categoryId: messages.category_required }),
  ...(!LANGUAGE_TAG.test(language.trim()) && { language: messages.news_language_bad }),
  ...(readInterval(interval) === null && { interval: messages.news_interval_range }),
})

export function findSourceProblems({ url, name, ...shared }: SourceFields): SourceProblems {
  const wrongName = findNameProblem(name)
  return {
    ...(!isFeedAddress(url.trim()) && { url: messages.news_url_bad }),
    ...(wrongName !== null && { name: wrongName }),
    ...findSharedProblems(shared),
  }
}

/** Null while a field is invalid. */
export function readShared({ categoryId, permission, active, ...typed }: SharedFields) {
  const [language, intervalMinutes] = [typed.language.trim(), readInterval(typed.interval)]
  if (categoryId === '' || !LANGUAGE_TAG.test(language) || intervalMinutes === null) return null
  return { categoryId, language, permission, intervalMinutes, active }
}

/** Null while a field is invalid. */
export function readSource(fields: SourceFields): NewsSourceInput | null {
  const shared = readShared(fields)
  if (shared === null || Object.keys(findSourceProblems(fields)).length > 0) return null
  return { ...shared, url: fields.url.trim(), name: cleanLine(fields.name) }
}
