import type { Db } from '../../db/client.ts'
import { refuse } from '../../lib/api-error.ts'
import type { ImageTally } from '../../lib/image-store.ts'
import { changeTotals, selectTotals, type ImageTotals } from './images.queries.ts'

export interface StoredImages extends ImageTally {
  /** As this server knew it last; null before it has asked. */
  totals(): ImageTotals | null
  /** Asks again. */
  refresh(): Promise<void>
}

/**
 * How much is stored, in one row that every server changes as it writes and removes pictures. What a crash between the two leaves wrong is
 * set right by the collector's walk. @param maxBytes null for no ceiling
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
