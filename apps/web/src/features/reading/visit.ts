/** Writes a visit to a thread into its record: at most once a second, and when it ends. */
import { newRecord, type RecordChange, type ThreadRecord } from './record.ts'
import { updateRecord } from './store.ts'

const EVERY_MS = 1_000

export interface VisitedThread {
  readonly _id: string
  readonly title: string
  readonly categoryId: string | null
}

export class Visit {
  #thread: VisitedThread
  #write: (threadId: string, change: RecordChange) => Promise<void>
  #readThrough = 0
  #postCount = 0
  #isUnsaved = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(thread: VisitedThread, write = updateRecord) {
    this.#thread = thread
    this.#write = write
  }

  start(): void {
    this.#save({ visitedAt: Date.now() })
  }

  /** The last post on screen, and the number of posts; lower numbers are ignored. */
  note({ readThrough = 0, postCount = 0 }: Partial<Pick<ThreadRecord, 'readThrough' | 'postCount'>>): void {
    if (readThrough <= this.#readThrough && postCount <= this.#postCount) return
    this.#readThrough = Math.max(this.#readThrough, readThrough)
    this.#postCount = Math.max(this.#postCount, postCount)
    this.#isUnsaved = true
    if (this.#timer === undefined) this.flush()
  }

  /** Writes at once what is not written yet. */
  flush(): void {
    if (!this.#isUnsaved) return
    this.#isUnsaved = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.flush()
    }, EVERY_MS)
    this.#save({})
  }

  end(): void {
    this.flush()
    clearTimeout(this.#timer)
  }

  #save(more: Partial<ThreadRecord>): void {
    const { _id: threadId, title, categoryId } = this.#thread
    const change: RecordChange = (before = newRecord(threadId)) => ({
      ...before,
      title,
      categoryId,
      readThrough: Math.max(before.readThrough, this.#readThrough),
      postCount: Math.max(before.postCount, this.#postCount),
      ...more,
      updatedAt: Date.now(),
    })
    // Without the script of the database nothing is remembered, and reading goes on.
    this.#write(threadId, change).catch(() => {})
  }
}
