/** The notebook and the rules of hiding as a file: written and read; pure. */
import { NOTEBOOK_FILE_BYTES, POST_NUMBER_MAX } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { sortedUnique } from '@shinobi/contract/notebook-entry'
import { toRules, type HidingRule } from '../hiding/rules.ts'
import { newRecord } from '../reading/record.ts'
import type { ThreadRecord } from '../reading/store.ts'

const KIND = 'shinobi-ita/notebook'
/** Rises when a reader of an older version would misunderstand the file. */
const VERSION = 1

/** Why a file cannot be read, in words for the visitor. */
export class NotebookFileError extends Error {
  override readonly name = 'NotebookFileError'
}

export interface NotebookFile {
  readonly threads: readonly ThreadRecord[]
  /** What the visitor does not want to see (NG); files of before 0.3.0 have none. */
  readonly hiding: readonly HidingRule[]
}

export const writeNotebook = ({ threads, hiding }: NotebookFile, now: number): string =>
  JSON.stringify({ kind: KIND, version: VERSION, writtenAt: new Date(now).toISOString(), threads, hiding }, null, 1)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TITLE_MAX = 1_000

/**
 * What is in a file. A file is whole or refused: half of a notebook would look like a loss.
 * @param now times after it (of a wrong clock) become now, so that they do not win for ever
 * @throws NotebookFileError
 */
export function readNotebook(text: string, now: number): NotebookFile {
  if (text.length > NOTEBOOK_FILE_BYTES) throw new NotebookFileError(messages.notebook_file_too_large)
  const file = parse(text)
  if (!isObject(file) || file['kind'] !== KIND) throw bad()
  if (typeof file['version'] === 'number' && file['version'] > VERSION)
    throw new NotebookFileError(messages.notebook_file_newer)
  const { version, threads, hiding = [] } = file
  if (version !== VERSION || !Array.isArray(threads) || !Array.isArray(hiding)) throw bad()
  return { threads: threads.map((one: unknown) => readThread(one, now)), hiding: toRules(hiding) }
}

const bad = () => new NotebookFileError(messages.notebook_file_bad)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw bad()
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readThread(value: unknown, now: number): ThreadRecord {
  if (!isObject(value)) throw bad()
  const text = (field: string, isRight: (given: string) => boolean): string => {
    const given = value[field]
    if (typeof given !== 'string' || !isRight(given)) throw bad()
    return given
  }
  const number = (given: unknown): number => {
    if (!Number.isInteger(given) || (given as number) < 0) throw bad()
    return given as number
  }
  const upTo = (given: unknown): number => {
    if (number(given) > POST_NUMBER_MAX) throw bad()
    return given as number
  }
  const time = (field: string): number | null => (value[field] == null ? null : Math.min(number(value[field]), now))
  const { categoryId, isOwn, ownPosts } = value
  if (categoryId !== null && !(typeof categoryId === 'string' && UUID.test(categoryId))) throw bad()
  if (typeof isOwn !== 'boolean' || !Array.isArray(ownPosts)) throw bad()
  const visitRemovedAt = time('visitRemovedAt')
  const favouriteRemovedAt = time('favouriteRemovedAt')
  const removedThrough = upTo(value['ownPostsRemovedThrough'] ?? 0)
  const lastPostAt = time('lastPostAt')
  return {
    ...newRecord(text('threadId', (id) => UUID.test(id))),
    title: text('title', ({ length }) => length <= TITLE_MAX),
    categoryId,
    readThrough: upTo(value['readThrough']),
    postCount: upTo(value['postCount']),
    visitedAt: time('visitedAt'),
    favouriteAt: time('favouriteAt'),
    isOwn,
    ownPosts: sortedUnique(ownPosts.map(upTo)),
    updatedAt: time('updatedAt') ?? 0,
    ...(visitRemovedAt !== null && { visitRemovedAt }),
    ...(value['isOwnRemoved'] === true && { isOwnRemoved: true }),
    ...(removedThrough > 0 && { ownPostsRemovedThrough: removedThrough }),
    ...(favouriteRemovedAt !== null && { favouriteRemovedAt }),
    ...(lastPostAt !== null && { lastPostAt }),
  }
}
