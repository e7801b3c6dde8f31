/**
 * The name under which an anonymous visitor writes in a thread. Stored for the tab, under the key
 * that visitors' scripts use, and for the whole browser, so that a second tab has it and a
 * dismissed question is not asked again.
 * The key of a tripcode is in this record, and in a new thread until it is published: neither the
 * notebook nor the room of the thread gets it, only the server with each post.
 * Subscribable, for useSyncExternalStore.
 */
import { NAMELESS } from '@shinobi/contract/nameless'
import { readStored, writeStored } from '../../lib/storage.ts'
import { announceStored, subscribeStored } from '../../lib/stored-changes.ts'

export interface WriterName {
  /** NAMELESS for none. */
  readonly name: string
  /** The key of a tripcode as typed; null without one. */
  readonly key: string | null
  /** What the server computes from the key, without ◆. */
  readonly trip: string | null
}

/** Null: the question was dismissed; undefined: not asked yet. */
export type ChosenName = WriterName | null | undefined

/** As posts show it. */
export const nameAsShown = ({ name, trip }: WriterName): string => (trip === null ? name : `${name}◆${trip}`)

/** As it is typed and sent. */
export const nameAsTyped = ({ name, key }: WriterName): string => (key === null ? name : `${name}#${key}`)

export const plainName = (name: string): WriterName => ({ name, key: null, trip: null })

const KEY = 'threadNames'
/** About 20 kB of local storage; the oldest entries are dropped first. */
const MAX = 300

const tabKey = (threadId: string) => `anonymousNickname-${threadId}`

type Names = ReadonlyMap<string, WriterName | null>

/** Key and tripcode, where there are any, stand behind the name; '' for one not known yet. */
type Entry = readonly [threadId: string, name: string | null, key?: string, trip?: string]

const isEntry = (entry: unknown): entry is Entry =>
  Array.isArray(entry) && typeof entry[0] === 'string' && (typeof entry[1] === 'string' || entry[1] === null)

const toEntry = ([threadId, writer]: readonly [string, WriterName | null]): Entry =>
  writer?.key == null ? [threadId, writer?.name ?? null] : [threadId, writer.name, writer.key, writer.trip ?? '']

const fromEntry = ([threadId, name, key, trip]: Entry): readonly [string, WriterName | null] => [
  threadId,
  name === null ? null : typeof key === 'string' ? { name, key, trip: trip || null } : plainName(name),
]

let known: Names | null = null

function load(): Names {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]')
    return new Map(Array.isArray(stored) ? stored.filter(isEntry).map(fromEntry) : [])
  } catch {
    // Unreadable data: the visitor is asked once more.
    return new Map()
  }
}

/** The same object until it changes. */
let ofTab: WriterName | undefined

function nameOfTab(threadId: string): WriterName | undefined {
  const name = readStored(tabKey(threadId), 'sessionStorage')
  if (name === null) return undefined
  if (ofTab?.name !== name) ofTab = plainName(name)
  return ofTab
}

export function chosenName(threadId: string): ChosenName {
  known ??= load()
  return known.get(threadId) ?? nameOfTab(threadId) ?? known.get(threadId)
}

/** Stores a name, or null when the question was dismissed. */
export function chooseName(threadId: string, writer: WriterName | null): void {
  // Another tab may have added an entry since.
  const others = [...load()].filter(([id]) => id !== threadId)
  const names = [...others, [threadId, writer] as const].slice(-MAX)
  known = new Map(names)
  writeStored(KEY, JSON.stringify(names.map(toEntry)))
  if (writer !== null) writeStored(tabKey(threadId), writer.name, 'sessionStorage')
  announceStored(KEY)
}

/** Names used in other threads, the latest first. */
export function namesElsewhere(threadId: string, max: number): WriterName[] {
  const names = [...load()].flatMap(([id, writer]) =>
    id === threadId || writer === null || nameAsShown(writer) === NAMELESS ? [] : [writer],
  )
  return [...new Map(names.toReversed().map((writer) => [nameAsTyped(writer), writer])).values()].slice(0, max)
}

/**
 * The name with its key of a post that waits, by how the post shows it. A post that was written
 * before the server told the tripcode shows the name alone.
 */
export function nameWithKey(threadId: string, shown: string): WriterName | undefined {
  const own = chosenName(threadId)
  if (own?.key != null && own.name === shown) return own
  // Those of this page too, where nothing can be stored.
  const names = [...(known ?? []), ...load()].flatMap(([, writer]) => (writer?.key == null ? [] : [writer]))
  return names.find((writer) => nameAsShown(writer) === shown)
}

export const subscribeNames = (listener: () => void): (() => void) =>
  subscribeStored(KEY, (isElsewhere) => {
    if (isElsewhere) known = null
    listener()
  })
