/** The fields of a source, validated by the rules of the server's schema. */
import { findComplaint, sourceNameWords } from '@shinobi/contract/complaints'
import { NEWS_URL_CHARACTERS } from '@shinobi/contract/limits'
import { NEWS_INTERVAL_MINUTES, NEWS_NAME } from '@shinobi/contract/staff-limits'
import { messages } from '@shinobi/contract/messages'
import type { NewsPermission, NewsSource, NewsSourceInput } from '@shinobi/contract/news'
import { cleanLine, isWebAddress, LANGUAGE_TAG } from '@shinobi/contract/text'

/** As typed. */
export interface SourceFields {
  url: string
  name: string
  categoryId: string
  language: string
  permission: NewsPermission
  interval: string
  active: boolean
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
  url: source.url,
  name: source.name,
  categoryId: categoryId ?? '',
  language: source.language,
  permission: source.permission,
  interval: String(intervalMinutes),
  active: source.active,
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

export function findSourceProblems({ url, name, categoryId, language, interval }: SourceFields): SourceProblems {
  const wrongName = findNameProblem(name)
  return {
    ...(!isFeedAddress(url.trim()) && { url: messages.news_url_bad }),
    ...(wrongName !== null && { name: wrongName }),
    ...(categoryId === '' && { categoryId: messages.category_required }),
    ...(!LANGUAGE_TAG.test(language.trim()) && { language: messages.news_language_bad }),
    ...(readInterval(interval) === null && { interval: messages.news_interval_range }),
  }
}

/** Null while a field is invalid. */
export function readSource(fields: SourceFields): NewsSourceInput | null {
  const intervalMinutes = readInterval(fields.interval)
  if (intervalMinutes === null || Object.keys(findSourceProblems(fields)).length > 0) return null
  const { categoryId, permission, active } = fields
  return {
    url: fields.url.trim(),
    name: cleanLine(fields.name),
    categoryId,
    language: fields.language.trim(),
    permission,
    intervalMinutes,
    active,
  }
}

const ABOUT_URL: ReadonlySet<string> = new Set([messages.news_url_bad, messages.news_source_taken])
const ABOUT_NAME: ReadonlySet<string> = new Set([messages.news_name_required, messages.news_name_too_long])

/** The field to which a refusal of the server belongs; none for others. */
export function placeRefusal(message: string): SourceProblems {
  if (ABOUT_URL.has(message)) return { url: message }
  if (ABOUT_NAME.has(message)) return { name: message }
  if (message === messages.news_language_bad) return { language: message }
  return message === messages.news_interval_range ? { interval: message } : {}
}
