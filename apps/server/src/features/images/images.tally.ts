import type { Db } from '../../db/client.ts'
import { refuse } from '../../lib/api-error.ts'
import type { ImageTally } from './image-store.ts'
import { changeTotals, selectTotals, type ImageTotals } from './images.queries.ts'

export interface StoredImages extends ImageTally {
  /** The last total this server has read; null before the first. */
  totals(): ImageTotals | null
  /** Reads it again. */
  refresh(): Promise<void>
}

/**
 * The total of stored pictures, in one row that all servers update as they write and delete
 * pictures. The collector's walk corrects errors left by a crash between the two.
 * @param maxBytes null for no maximum
 */
export function createStoredImages(db: Db, maxBytes: number | null): StoredImages {
  let totals: ImageTotals | null = null
  return {
    async add(change) {
      const changed = await changeTotals(db, change, 1, maxBytes)
      if (changed === undefined) throw refuse('disk_full', 'images_full')
      totals = changed
    },
    async takeOff(change) {
      totals = (await changeTotals(db, change, -1, null)) ?? totals
    },
    totals: () => totals,
    async refresh() {
      totals = await selectTotals(db)
    },
  }
}
