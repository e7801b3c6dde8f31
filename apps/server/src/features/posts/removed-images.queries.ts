import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import type { StoredImage } from '../../db/tables.ts'
import { placeTable, type PostPlace } from './removals.queries.ts'

export interface ImageInSight {
  readonly image: StoredImage
  /** Whether the post and its thread are visible now. */
  readonly visible: boolean
}

/** The images of posts. */
export async function selectImages(db: Db, places: readonly PostPlace[]): Promise<ImageInSight[]> {
  const { rows } = await sql<ImageInSight>`
    select p.image, ${isPostVisible('p')} and ${isThreadVisible('t')} as visible
    from ${placeTable(places)} join posts as p on p."threadId" = place."threadId" and p.number = place.number
    join threads as t on t.id = p."threadId"
    where p.image is not null`.execute(db)
  return rows
}

/** The images of a thread's posts after a number. */
export async function selectImagesOfThread(
  db: Db,
  threadId: string,
  after: number,
  numbers: number,
): Promise<ImageInSight[]> {
  const { rows } = await sql<ImageInSight>`
    select p.image, ${isPostVisible('p')} and ${isThreadVisible('t')} as visible
    from posts as p join threads as t on t.id = p."threadId"
    where p."threadId" = ${threadId}::uuid and p.number > ${after}::integer and p.number <= ${after + numbers}::integer
      and p.image is not null`.execute(db)
  return rows
}
