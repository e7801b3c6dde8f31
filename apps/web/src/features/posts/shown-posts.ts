/**
 * The texts of posts are on the page once: the state of the page leaves out those that the markup
 * shows as they are, and the times. The browser reads them from there before hydration.
 */
import type { Post } from '@shinobi/contract/posts'
import type { Token } from './parse-content.ts'

/** Posts of pages that are being rendered. */
const shown = new WeakSet<object>()

/** HTML turns a carriage return into a line feed; an address may be shown shortened. */
export function noteShown(post: Post, tokens: readonly Token[]): void {
  if (!post.content.includes('\r') && tokens.every(({ kind }) => kind !== 'link')) shown.add(post)
}

/** A post for the state of the page. */
export function leaveOutShown(post: Post): Partial<Post> {
  if (!shown.has(post)) return post
  const { content: _content, createdAt: _createdAt, ...rest } = post
  return rest
}

/** The inverse of `leaveOutShown`, in the page that shows the post: there it ends with its text. */
export function readShown(post: Partial<Post>): Post {
  const article = document.getElementById(String(post.number))
  return {
    content: article?.lastElementChild?.textContent,
    createdAt: article?.querySelector('time')?.dateTime,
    ...post,
  } as Post
}
