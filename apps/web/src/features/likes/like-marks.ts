/**
 * State of the like buttons on screen beyond the counts of the page, and the queue of presses for
 * the handler. Only this module is in the first chunk; the handler, its requests and the flames are
 * loaded later, and presses wait until then.
 */
import type { ReactNode } from 'react'

/** A thread, or a post (which names its thread). */
export interface Likeable {
  readonly _id: string
  readonly likes: number
  readonly threadId?: string
}

export interface LikeMark {
  readonly liked: boolean
  /** The count while a request is pending. */
  readonly likes?: number
  /** The animation over the button. */
  readonly effect?: ReactNode
}

export interface LikePress {
  readonly of: Likeable
  readonly button: HTMLElement
}

export type PressHandler = (press: LikePress) => void

const marks = new Map<string, LikeMark>()
const listeners = new Set<() => void>()
let handler: PressHandler | null = null
let calls = 0
const waiting: LikePress[] = []

export function followLikes(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}

export const likeMark = (id: string): LikeMark | undefined => marks.get(id)

/** `change` writes the marks; the buttons are notified once. */
export function markLikes(change: (marks: Map<string, LikeMark>) => void): void {
  change(marks)
  tell()
}

/** How often the handler was requested while it was not loaded. */
export const handlerCalls = (): number => calls

/** A press is likely to follow, so the handler is loaded. */
export function callHandler(): void {
  if (handler !== null) return
  calls += 1
  tell()
}

export function pressLike(press: LikePress): void {
  if (handler !== null) return handler(press)
  waiting.push(press)
  callHandler()
}

/**
 * Removes and returns the waiting presses, to be handled or to be dropped where no handler will
 * come.
 */
export const takePresses = (): LikePress[] => waiting.splice(0)

export function handlePresses(handle: PressHandler): () => void {
  handler = handle
  for (const press of takePresses()) handle(press)
  return () => {
    if (handler === handle) handler = null
  }
}
