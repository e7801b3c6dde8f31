/**
 * What the like buttons on screen show beyond the counts that came with the page, and the way from a press to the desk that
 * handles it. This much is in the first chunk; the desk, its requests and the flames are not: a press before they are there waits.
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
  /** The count while a press is on its way to the server. */
  readonly likes?: number
  /** What plays over the button. */
  readonly effect?: ReactNode
}

export interface LikePress {
  readonly of: Likeable
  readonly button: HTMLElement
}

export type LikeDesk = (press: LikePress) => void

const marks = new Map<string, LikeMark>()
const listeners = new Set<() => void>()
let desk: LikeDesk | null = null
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

/** Lets `change` write the marks; the buttons are told once. */
export function markLikes(change: (marks: Map<string, LikeMark>) => void): void {
  change(marks)
  tell()
}

/** How often the desk was called while there was none. */
export const deskCalls = (): number => calls

/** Somebody is about to press. */
export function callDesk(): void {
  if (desk !== null) return
  calls += 1
  tell()
}

export function pressLike(press: LikePress): void {
  if (desk !== null) return desk(press)
  waiting.push(press)
  callDesk()
}

/** Takes what has waited: the desk, to handle it, or who found out that there will be none. */
export const takePresses = (): LikePress[] => waiting.splice(0)

export function openDesk(opened: LikeDesk): () => void {
  desk = opened
  for (const press of takePresses()) opened(press)
  return () => {
    if (desk === opened) desk = null
  }
}
