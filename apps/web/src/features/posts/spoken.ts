/**
 * Counts how often an ID has spoken. Posts that are fetched say so themselves; announced ones do
 * not: the window counts them on.
 */
import type { Post } from '@shinobi/contract/posts'

/**
 * The posts of a window without gaps, each with its place among those of its ID. A post stays
 * without one where earlier posts of its ID may be before the window. The same array when nothing
 * changes.
 * @param start number before the first post
 */
export function countSpoken(start: number, posts: readonly Post[]): readonly Post[] {
  const places = new Map<string, number>()
  const totals = new Map<string, number>()
  const placeOf = ({ posterId, posterNth }: Post): number | undefined => {
    if (posterId === undefined) return undefined
    const last = places.get(posterId) ?? (start === 0 ? 0 : undefined)
    return posterNth ?? (last === undefined ? undefined : last + 1)
  }
  const placed = posts.map((post) => {
    const place = placeOf(post)
    if (place === undefined) return undefined
    const id = post.posterId!
    places.set(id, place)
    totals.set(id, Math.max(totals.get(id) ?? 0, post.posterTotal ?? 0, place))
    return place
  })
  let isChanged = false
  const counted = posts.map((post, index) => {
    const posterNth = placed[index]
    const posterTotal = post.posterId === undefined ? undefined : totals.get(post.posterId)
    if (posterNth === undefined || posterTotal === undefined) return post
    if (post.posterNth === posterNth && post.posterTotal === posterTotal) return post
    isChanged = true
    return { ...post, posterNth, posterTotal }
  })
  return isChanged ? counted : posts
}
