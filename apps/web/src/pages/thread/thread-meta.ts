/** Metadata of a thread for search engines and link previews. */
import { messages } from '@shinobi/contract/messages'
import { markOf } from '@shinobi/contract/news-labels'
import type { Post } from '@shinobi/contract/posts'
import type { SummaryKind, Thread } from '@shinobi/contract/threads'
import { truncateGraphemes } from '@shinobi/contract/text'
import { SITE_NAME } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { isLatest, postPath, rangePath, type PostRange } from '../../features/posts/post-address.ts'
import { NAMELESS } from '@shinobi/contract/nameless'

/** Shown instead of a writer's name in the opening post of a news thread, which has no writer. */
export const NEWS_WRITERS: Readonly<Record<SummaryKind, string>> = {
  ai: '自動要約',
  extractive: '自動要約',
  headline: '自動紹介',
}

const DESCRIPTION_LENGTH = 120
/** Maximum posts in the structured data; the page itself contains the rest. */
const COMMENTS = 10

export function threadDescription(thread: Thread): string {
  const text = truncateGraphemes(thread.excerpt.replace(/\s+/gu, ' ').trim(), DESCRIPTION_LENGTH)
  return `${markOf(thread)}${text}（${thread.postCount}件の書き込み）`
}

export function threadPath(thread: Thread, range: PostRange): string {
  return rangePath(thread._id, isLatest(range) ? { after: 0 } : range)
}

const person = (name: string | null) => ({ '@type': 'Person', name: name ?? NAMELESS })

const likesOf = ({ likes }: { readonly likes: number }) => ({
  '@type': 'InteractionCounter',
  interactionType: 'https://schema.org/LikeAction',
  userInteractionCount: likes,
})

/** A posting without text is not valid. A removed text is empty; of a folded one the excerpt is. */
function openingOf({ content, excerpt }: Thread): { text: string; creativeWorkStatus?: string } {
  if (content === '') return { text: messages.post_deleted, creativeWorkStatus: 'Deleted' }
  return { text: excerpt === '' ? messages.post_folded : content }
}

/** schema.org DiscussionForumPosting. */
export function threadJsonLd(thread: Thread, posts: readonly Post[], publicUrl: string): Record<string, unknown> {
  const comments = posts.filter((post) => post.number > 1 && !post.deleted && !post.folded).slice(0, COMMENTS)
  return {
    '@type': 'DiscussionForumPosting',
    headline: thread.title,
    ...openingOf(thread),
    url: publicUrl + rangePath(thread._id, { after: 0 }),
    datePublished: thread.createdAt,
    dateModified: thread.lastPostAt,
    // A news thread has no writer: its author is the board, and text of a language model is
    // declared as such.
    author: thread.summary === null ? person(thread.nickname) : { '@type': 'Organization', name: SITE_NAME },
    ...(thread.aiGenerated && { digitalSourceType: 'https://schema.org/TrainedAlgorithmicMediaDigitalSource' }),
    inLanguage: 'ja',
    ...(thread.imageUrl !== null && { image: publicUrl + thread.imageUrl }),
    ...(thread.sourceUrl !== null && {
      isBasedOn: thread.sourceUrl,
      sharedContent: { '@type': 'WebPage', url: thread.sourceUrl },
      creditText: `出典: ${thread.sourceSite}`,
    }),
    isPartOf: publicUrl + paths.category(thread.category),
    commentCount: Math.max(0, thread.postCount - 1),
    interactionStatistic: likesOf(thread),
    comment: comments.map((post) => ({
      '@type': 'Comment',
      text: post.content,
      url: publicUrl + postPath(thread._id, post.number),
      datePublished: post.createdAt,
      author: person(post.name),
      ...(post.likes > 0 && { interactionStatistic: likesOf(post) }),
    })),
  }
}
