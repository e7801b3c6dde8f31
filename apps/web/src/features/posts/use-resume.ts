import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { postKeys, postsInfiniteQuery, windowOf, type PostPages } from './api.ts'
import { numberOfHash, type PostRange } from './post-address.ts'
import { readPosition } from '../reading/store.ts'
import {
  forgetPrepared,
  isFreshDocument,
  isWithoutNumber,
  keepWindow,
  preparedResume,
  windowAt,
  windowOfEntry,
  type Resume,
} from './resume.ts'
import { scrollToReadLine } from './scroll-to-post.ts'

export interface Resumed {
  /** The part of the thread to show. */
  readonly range: PostRange
  /** Number of the last post that was read before this visit; 0 where no line is drawn. */
  readonly line: number
  /** Scrolls to the line, once it is on the page and if the thread was opened without a number. */
  readonly goToLine: (block: 'start' | 'end') => void
  /** False while it is unknown what was read: another part may be about to be shown. */
  readonly isSettled: boolean
}

/**
 * Opens a thread at the first unread post. A rendered page is the same for everybody and shows the
 * first posts: after hydration the window is replaced once its posts are loaded, unless the reader
 * has scrolled already. Use the thread's id as the key of the component.
 */
export function useResume(threadId: string, range: PostRange, newest: number): Resumed {
  const client = useQueryClient()
  const { key, hash } = useLocation()
  const arrived = useNavigationType() !== 'POP'
  const [resume, setResume] = useState<Resume | null>(() => preparedResume(threadId) ?? null)
  const goes = useRef(resume !== null && resume.goes && hash === '')

  const decide = useEffectEvent(async (): Promise<Resume> => {
    const line = await readPosition(threadId)
    const staysAtStart = { after: 0, line, goes: false }
    if (!isWithoutNumber(range)) return staysAtStart
    // An entry that has kept its window is returned to, also in the document that a link opened.
    const isFresh = arrived || (isFreshDocument() && windowOfEntry() === null)
    if (isFresh && (line === 0 || hash !== '' || scrollY > 0)) return staysAtStart
    const after = isFresh ? windowAt(line, newest) : (windowOfEntry() ?? 0)
    if (after === 0) return { ...staysAtStart, goes: isFresh }
    try {
      await client.ensureInfiniteQueryData(postsInfiniteQuery(threadId, { after }))
    } catch {
      return staysAtStart
    }
    // The reader may have begun to read meanwhile.
    return isFresh && scrollY > 0 ? staysAtStart : { after, line, goes: isFresh }
  })
  useEffect(() => {
    if (resume !== null) return void forgetPrepared(threadId)
    let isLeft = false
    void decide().then((decided) => {
      if (isLeft) return
      goes.current = decided.goes
      setResume(decided)
    })
    return () => {
      isLeft = true
    }
  }, [resume, threadId])

  useLayoutEffect(() => {
    // The window is at its place: its own layout effects have run before.
    if (resume !== null) document.documentElement.removeAttribute('data-resuming')
  }, [resume])

  const shown = resume === null || !isWithoutNumber(range) ? 0 : resume.after
  const number = numberOfHash(hash)
  const loaded = client.getQueryData<PostPages>(postKeys.window(threadId, shown))
  // A number before the window leads to the first posts; `useFragment` goes on from there.
  const isBefore = number !== null && number <= (loaded === undefined ? shown : windowOf(loaded).start)
  const after = isBefore ? 0 : shown
  useEffect(() => {
    if (after > 0) keepWindow(after)
  }, [key, after])

  const goToLine = useCallback((block: 'start' | 'end') => {
    if (goes.current && scrollToReadLine(block)) goes.current = false
  }, [])
  return {
    range: after > 0 ? { after } : range,
    line: resume?.line ?? 0,
    goToLine,
    isSettled: resume !== null,
  }
}
