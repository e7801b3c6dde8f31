import type { Post } from '@shinobi/contract/posts'
import { isVeiled } from '../display/use-veil.ts'
import type { Pictured } from './image-viewer.ts'
import { postElement } from './scroll-to-post.ts'

const isPictured = (post: Post): post is Pictured =>
  post.imageUrl !== null && post.imageWidth !== null && post.imageHeight !== null

const thumbnailInThread = ({ number }: Post): HTMLElement | null =>
  postElement(number)?.querySelector<HTMLElement>('a[data-image]') ?? null

/** Whether a post's image is on the page: neither folded nor hidden. */
export const isImageShown = (post: Post): boolean => thumbnailInThread(post) !== null

/**
 * Opens the image of a post in the viewer, which can go on to those of the loaded `posts`, except
 * blurred and hidden ones. Where the viewer cannot be loaded, or the size of the image is unknown,
 * it is opened in a new tab.
 *
 * @param thumbnailOf the thumbnail from which the opening animation starts
 */
export async function viewImage(post: Post, posts: readonly Post[], thumbnailOf = thumbnailInThread): Promise<void> {
  if (post.imageUrl === null) return
  try {
    const { openImageViewer } = await import('./image-viewer.ts')
    const pictured = posts.filter(isPictured).filter((one) => one._id === post._id || !isVeiled(thumbnailOf(one)))
    const index = pictured.findIndex(({ _id }) => _id === post._id)
    if (index >= 0) openImageViewer(pictured, index, thumbnailOf)
    else if (isPictured(post)) openImageViewer([post], 0, thumbnailOf)
    else open(post.imageUrl, '_blank', 'noopener')
  } catch {
    open(post.imageUrl, '_blank', 'noopener')
  }
}
