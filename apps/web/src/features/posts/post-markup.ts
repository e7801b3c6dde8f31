/**
 * The markup of plain posts as a string, for the server: React takes a third of the time of a page
 * for its fifty posts. It equals what React renders for the same post (post-markup.test.tsx), so
 * that the browser hydrates it; posts with more than text are rendered by React.
 */
import { inFigures } from '@shinobi/contract/in-figures'
import { NAMELESS } from '@shinobi/contract/nameless'
import type { Post } from '@shinobi/contract/posts'
import { useNow } from '../../lib/clock.tsx'
import { formatPostTime } from '../../lib/format-date.ts'
import { cx } from '../../ui/cx.ts'
import like from '../likes/like-button.module.css'
import count from './answer-count.module.css'
import { isAsciiArt } from './ascii-art.ts'
import { ANSWERS_LINKED_MAX } from './back-links.ts'
import { foldText } from './fold-text.ts'
import { parseContent, type Token } from './parse-content.ts'
import { postPath } from './post-address.ts'
import texts from './post-text.module.css'
import { PLAIN_ADDRESS, shorten } from './post-text.tsx'
import styles from './post-view.module.css'
import { isNamed } from './post-view.tsx'
import { idClasses, idLabel } from './poster-id.tsx'
import names from './poster-name.module.css'
import { SAGE } from './poster-name.tsx'
import { noteShown } from './shown-posts.ts'
import { useThreadActions } from './thread-context.ts'

/** What the markup of a post depends on beside the post. */
interface Place {
  readonly threadId: string
  /** Number of the thread's newest post. */
  readonly newest: number
  readonly now: Date
  /** Numbers of the posts that answer it. */
  readonly answers: readonly number[]
}

/** Null for a post that React has to render. */
export function postMarkup(post: Post, { threadId, newest, now, answers }: Place): string | null {
  const { number, createdAt } = post
  if (post.deleted || post.folded || post.imageUrl !== null || isAsciiArt(post.content)) return null
  if (foldText(post.content).rest !== null) return null
  const tokens = parseContent(post.content, { plainLinks: post.plainLinks })
  noteShown(post, tokens)
  const text = tokens.map((token) => tokenMarkup(token, threadId, newest)).join('')
  return (
    `<article id="${number}" data-keep="" data-post="" class="${styles['post']}" ` +
    `aria-labelledby="${number}-meta" tabindex="-1">` +
    `<header class="${styles['meta']}"><span class="${styles['head']}" id="${number}-meta">` +
    `<a href="${postPath(threadId, number)}" class="${styles['number']}" data-number="" ` +
    `aria-haspopup="dialog">${number}</a>${nameMarkup(post)}` +
    `<time dateTime="${createdAt}" class="${styles['time']}">${formatPostTime(createdAt, now)}</time>${idMarkup(post)}` +
    `</span><span class="${styles['marks']}"><span data-actions=""></span>` +
    `${answersMarkup(number, answers, threadId)}${likeMarkup(post)}</span></header><div class="${texts['text']}">${text}</div></article>`
  )
}

function nameMarkup({ name, userId, staff, trip, sage }: Post): string {
  const seal =
    staff === true
      ? `<span class="${names['seal']} ${names['staff']}" title="この板の運営としての書き込みです">` +
        '運営<span class="visually-hidden">の書き込み</span></span>'
      : userId === null
        ? ''
        : `<span class="${names['seal']}" title="登録した会員の書き込みです">会員</span>`
  const classes = cx(names['poster'], styles['who'], isNamed({ name, trip }) && styles['named'])
  const code =
    trip === undefined
      ? ''
      : `<span class="${names['trip']}" data-trip=""><span class="visually-hidden">トリップ </span>◆${escape(trip)}</span>`
  const quiet = sage === true ? `<span class="${names['sage']}" title="${SAGE}">sage</span>` : ''
  return (
    `<span class="${classes}"><span class="${names['name']}">${escape(name ?? NAMELESS)}</span>` +
    `${code}${seal}${quiet}</span>`
  )
}

function idMarkup(post: Post): string {
  if (post.posterId === undefined) return ''
  return (
    `<button type="button" class="${idClasses(post)}" data-poster="${escape(post.posterId)}" ` +
    `aria-haspopup="dialog">${escape(idLabel(post))}</button>`
  )
}

function answersMarkup(to: number, numbers: readonly number[], threadId: string): string {
  if (numbers.length === 0) return ''
  const links = numbers
    .slice(0, ANSWERS_LINKED_MAX)
    .map((number) => `<a href="${postPath(threadId, number)}">&gt;&gt;${number} </a>`)
  return (
    `<button type="button" class="${count['count']}" data-popover-anchor="" aria-haspopup="dialog">` +
    `返信 <!-- -->${inFigures(numbers.length)}<span class="visually-hidden">件（${to}への返信を読む）</span>` +
    `</button><noscript>${links.join('')}</noscript>`
  )
}

const likeMarkup = ({ likes }: Post): string =>
  `<button type="button" class="${like['like']}" aria-pressed="false">` +
  `<span class="visually-hidden">いいね（</span><b>${inFigures(likes)}</b>` +
  '<span class="visually-hidden">件）</span></button>'

function tokenMarkup(token: Token, threadId: string, newest: number): string {
  const text = escape(token.text)
  switch (token.kind) {
    case 'text':
      return text
    case 'anchor': {
      const first = token.ranges[0]?.from ?? 1
      return first <= newest
        ? `<a href="${postPath(threadId, first)}" class="${texts['anchor']}" data-popover-anchor="">${text}</a>`
        : `<span class="${texts['dead']}" title="まだ書き込まれていない番号です">${text}</span>`
    }
    case 'id':
      return (
        `<button type="button" class="${texts['id']}" data-poster="${escape(token.id)}" ` +
        `aria-haspopup="dialog">${text}</button>`
      )
    case 'address':
      return `<span class="${texts['dead']}" title="${PLAIN_ADDRESS}">${text}</span>`
    case 'link':
      return (
        `<a href="${escape(token.href)}" target="_blank" rel="nofollow ugc noopener noreferrer">` +
        `${escape(shorten(token.label))}</a>`
      )
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#x27;',
  '<': '&lt;',
  '>': '&gt;',
}

/** As React escapes text and attributes. */
const escape = (text: string): string => text.replace(/["&'<>]/g, (character) => ESCAPES[character]!)

const NO_ANSWERS: readonly number[] = []

/** The markup of a post of this page; null where React has to render it, and in the browser. */
export function usePostMarkup(
  hasNotes: boolean,
): (post: Post, answers: readonly number[] | undefined) => string | null {
  const { threadId, newest, opening } = useThreadActions()
  const now = useNow()
  return (post, answers = NO_ANSWERS) => {
    // The opening post of a news thread shows its summary; notes stand below that of others.
    if (!import.meta.env.SSR || (post.number === 1 && (opening !== null || hasNotes))) return null
    return postMarkup(post, { threadId, newest: newest.get(), now, answers })
  }
}
