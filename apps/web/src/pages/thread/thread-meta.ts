/** What search engines and messengers are told about a thread. */
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { truncateGraphemes } from '@shinobi/contract/text'
import { isLatest, postPath, rangePath, type PostRange } from '../../features/posts/post-address.ts'
import { NAMELESS } from '../../lib/nameless.ts'

const DESCRIPTION_LENGTH = 120
/** Posts that stand in the structured data; the rest is in the page itself. */
const COMMENTS = 10

export function threadDescription(thread: Thread): string {
  const text = truncateGraphemes(thread.excerpt.replace(/\s+/gu, ' ').trim(), DESCRIPTION_LENGTH)
  return `${text}（${thread.postCount}件の投稿）`
}

export function threadPath(thread: Thread, range: PostRange): string {
  return rangePath(thread._id, isLatest(range) ? { after: 0 } : range)
}

const person = (name: string | null) => ({ '@type': 'Person', name: name ?? NAMELESS })

/** schema.org DiscussionForumPosting. */
export function threadJsonLd(thread: Thread, posts: readonly Post[], publicUrl: string): Record<string, unknown> {
  const comments = posts.filter((post) => post.number > 1 && !post.deleted).slice(0, COMMENTS)
  return {
    '@type': 'DiscussionForumPosting',
    headline: thread.title,
    text: thread.content,
    url: publicUrl + rangePath(thread._id, { after: 0 }),
    datePublished: thread.createdAt,
    dateModified: thread.lastPostAt,
    author: person(thread.nickname),
    inLanguage: 'ja',
    ...(thread.imageUrl !== null && { image: publicUrl + thread.imageUrl }),
    ...(thread.sourceUrl !== null && { isBasedOn: thread.sourceUrl }),
    commentCount: Math.max(0, thread.postCount - 1),
    interactionStatistic: [
      {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/LikeAction',
        userInteractionCount: thread.likes,
      },
    ],
    comment: comments.map((post) => ({
      '@type': 'Comment',
      text: post.content,
      url: publicUrl + postPath(thread._id, post.number),
      datePublished: post.createdAt,
      author: person(post.name),
    })),
  }
}
