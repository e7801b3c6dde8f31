/**
 * Which posts a reader wants to see as art, or wrapped as text, against what their text looks like;
 * until the page is loaded anew.
 */
import type { Post } from '@shinobi/contract/posts'
import { useSyncExternalStore } from 'react'
import { isAsciiArt } from './ascii-art.ts'

const choices = new Map<string, boolean>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function chooseArt({ _id }: Pick<Post, '_id'>, isArt: boolean): void {
  choices.set(_id, isArt)
  for (const listener of listeners) listener()
}

/** Whether a post is shown as art. */
export function useIsArt({ _id, content }: Pick<Post, '_id' | 'content'>): boolean {
  const choice = useSyncExternalStore(
    subscribe,
    () => choices.get(_id),
    () => undefined,
  )
  return choice ?? isAsciiArt(content)
}
