import { CATEGORY_DESCRIPTION, CATEGORY_NAME } from './limits.ts'
import { z } from 'zod'
import { required } from './complaints.ts'
import { answers, categoryRef, id, line, type Call } from './common.ts'
import { messages } from './messages.ts'
import { SETTING_RANGES } from './staff-limits.ts'

/**
 * What an ID shows in a category: nothing, one person within a thread and day, or one person within
 * the category and day.
 */
export const POSTER_IDS = ['off', 'thread', 'day'] as const
export const posterIds = z.enum(POSTER_IDS).describe('which posts of one person have the same ID; off for no IDs')
export type PosterIds = z.infer<typeof posterIds>

/** A category. `name` is its handle in URLs, `description` the label of its button. */
export const category = z.object({ _id: id, name: z.string(), description: z.string() })
export type Category = z.infer<typeof category>

/** A category in the list of all categories. */
export const listedCategory = category.extend({
  rank: z.number().int().describe('its place by recent posts: 1 is the busiest category'),
})
export type ListedCategory = z.infer<typeof listedCategory>

const [limitMin, limitMax] = SETTING_RANGES.postLimit
const limitProblem = messages.setting_range(limitMin, limitMax)
const postLimit = z
  .number({ error: limitProblem })
  .int(limitProblem)
  .min(limitMin, limitProblem)
  .max(limitMax, limitProblem)
  .nullable()
  .describe('posts of a thread here; null for the number in the settings')

const holdImages = z.boolean().describe('a moderator looks at images of newcomers before others see them')

/** A category in the lists of the administration. */
export const adminCategory = category.extend({ postLimit, posterIds, holdImages })
export type AdminCategory = z.infer<typeof adminCategory>

export const categoryParams = z.object({ categoryId: categoryRef })

export const listCategories = {
  method: 'GET',
  url: '/api/categories',
  schema: {
    summary: 'All categories in the order they are shown',
    tags: ['categories'],
    response: answers(z.array(listedCategory)),
  },
} as const satisfies Call

export const getCategory = {
  method: 'GET',
  url: '/api/categories/:categoryId',
  schema: { summary: 'One category', tags: ['categories'], params: categoryParams, response: answers(category) },
} as const satisfies Call

const nameProblems = {
  blank: messages.category_name_required,
  too_short: messages.category_name_required,
  too_long: messages.category_name_too_long,
}
/** May be empty. */
const description = line(CATEGORY_DESCRIPTION, required('', messages.category_description_too_long))

/** Creation by an admin. */
export const categoryInput = z.object({
  name: line(CATEGORY_NAME, nameProblems),
  description: description.nullish().transform((text) => text ?? ''),
  postLimit: postLimit.default(null),
  posterIds: posterIds.default('thread'),
  holdImages: holdImages.default(false),
})

/** A change by an admin; what is left out stays. The name stays: it is part of addresses. */
export const categoryChange = z.object({ description, postLimit, posterIds, holdImages }).partial()
