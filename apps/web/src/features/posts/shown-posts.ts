/**
 * What the markup of a post shows as it is, is on the page once: the state of the page leaves it
 * out, and the browser reads it from the markup before hydration.
 */
import { NAMELESS } from '@shinobi/contract/nameless'
import type { Post } from '@shinobi/contract/posts'
import { timeOfId } from '../../lib/uuid-v7.ts'
import type { Token } from './parse-content.ts'
import names from './poster-name.module.css'

/** A post in the state of the page. */
type StatePost = Post | LessPost

/** Without what the markup shows. */
interface LessPost extends Omit<Post, '_id' | 'content' | 'createdAt' | 'name' | 'posterId'> {
  /**
   * The `_id`: milliseconds from the time in it to `createdAt`, a colon, and the part behind that
   * time.
   */
  readonly rest: string
  /** Only the name that the markup shows for none. */
  readonly name?: typeof NAMELESS
}

/** Posts of pages that are being rendered. */
const shown = new WeakSet<object>()

/** HTML turns a carriage return into a line feed; an address may be shown shortened. */
export function noteShown(post: Post, tokens: readonly Token[]): void {
  if (!post.content.includes('\r') && tokens.every(({ kind }) => kind !== 'link')) shown.add(post)
}

/** A post for the state of the page. */
export function leaveOutShown(post: Post): StatePost {
  if (!shown.has(post)) return post
  const { _id, content: _content, createdAt, name, posterId: _posterId, ...others } = post
  const rest = `${Date.parse(createdAt) - timeOfId(_id)}:${_id.slice(14)}`
  return { ...others, rest, ...(name === NAMELESS && { name }) }
}

/** The inverse of `leaveOutShown`, in the page that shows the post: there it ends with its text. */
export function readShown(post: StatePost): Post {
  if (!('rest' in post)) return post
  const { rest, ...others } = post
  const article = document.getElementById(String(post.number))
  const createdAt = article?.querySelector('time')?.dateTime ?? ''
  const [lag, end] = rest.split(':')
  const time = (Date.parse(createdAt) - Number(lag)).toString(16).padStart(12, '0')
  const name = article?.querySelector(`.${names['name']}`)?.textContent ?? null
  const posterId = article?.querySelector<HTMLElement>(':scope > header [data-poster]')?.dataset['poster']
  return {
    name: name === NAMELESS ? null : name,
    ...others,
    ...{ _id: `${time.slice(0, 8)}-${time.slice(8)}-${end}`, content: article?.lastElementChild?.textContent ?? '' },
    ...{ createdAt, ...(posterId !== undefined && { posterId }) },
  }
}
