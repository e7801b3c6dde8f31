/** What a post shows of its writer beside the name; columns of `posts`. */
export interface PostMarks {
  /** The staff mark. */
  readonly asStaff: boolean
  /** Tripcode without its ◆; null without one. */
  readonly trip: string | null
  /** Null where the category shows no IDs. */
  readonly posterId: string | null
  readonly sage: boolean
  /** Addresses in it are no links. */
  readonly plainLinks: boolean
}

export const NO_MARKS: PostMarks = { asStaff: false, trip: null, posterId: null, sage: false, plainLinks: false }

/** The marks of a row with other fields; those that are missing are none. */
export function pickMarks(row: Partial<PostMarks>): PostMarks {
  const { asStaff, trip, posterId, sage, plainLinks } = { ...NO_MARKS, ...row }
  return { asStaff, trip, posterId, sage, plainLinks }
}

/** The marks of a held text, as far as they differ from none. */
export type HeldMarks = { readonly [K in keyof PostMarks]?: Exclude<PostMarks[K], null> }

/** For the payload of a held text. */
export const toHeldMarks = ({ asStaff, trip, posterId, sage, plainLinks }: PostMarks): HeldMarks => ({
  ...(asStaff && { asStaff }),
  ...(trip !== null && { trip }),
  ...(posterId !== null && { posterId }),
  ...(sage && { sage }),
  ...(plainLinks && { plainLinks }),
})

export const fromHeldMarks = ({ asStaff, trip, posterId, sage, plainLinks }: HeldMarks): PostMarks => ({
  asStaff: asStaff === true,
  trip: trip ?? null,
  posterId: posterId ?? null,
  sage: sage === true,
  plainLinks: plainLinks === true,
})
