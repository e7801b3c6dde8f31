import type { Post } from '@shinobi/contract/posts'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import type { ApprovedItem } from '../held/held.ts'
import { HeldState } from '../held/held-state.tsx'
import { NAMELESS } from '@shinobi/contract/nameless'
import { useHeld } from '../held/use-held.ts'
import styles from './held-posts.module.css'
import { rememberOwnPost } from '../reading/own-posts.ts'
import { PostText } from './post-text.tsx'
import { publishedOf } from './published-held.ts'
import { useThreadActions } from './thread-context.ts'

const JUST_NOW_MS = 2_000

/** By its number: the page may get the post itself later than the decision. */
function rememberPublished(items: readonly ApprovedItem[]): void {
  for (const { place: threadId, number } of items) if (number !== null) rememberOwnPost({ threadId, number })
}

/**
 * The visitor's own held posts, which wait for a moderator, after the newest post; only their
 * writer sees them. The published post replaces its placeholder.
 */
export function HeldPosts({ threadId, posts }: { threadId: string; posts: readonly Post[] }) {
  const held = useHeld('post', threadId, (items) => publishedOf(posts, items).length, rememberPublished)
  const { putBack } = useThreadActions()
  const list = useRef<HTMLElement>(null)
  const newest = held.at(-1)
  useEffect(() => {
    // A post written just now is scrolled into view, like any own post. An earlier one leaves the
    // page where it is.
    if (newest === undefined || Date.now() - newest.at > JUST_NOW_MS) return
    list.current?.lastElementChild?.scrollIntoView({ block: 'end', behavior: 'instant' })
  }, [newest])
  if (held.length === 0) return null
  return (
    <section ref={list} aria-label="確認を待っている自分の書き込み">
      {held.map((item) => (
        <article key={item.id} className={styles['post']} data-status={item.status}>
          <header className={styles['meta']}>
            <span className={styles['name']}>{item.name ?? NAMELESS}</span>
            <HeldState item={item} onRewrite={({ content }) => putBack(content)}>
              <Link to={paths.scroll}>忍法帖</Link>のレベルが上がると、待たずに公開できるものもあります。
            </HeldState>
          </header>
          <PostText content={item.content} />
          {item.hasImage && <p className={styles['note']}>画像1枚</p>}
        </article>
      ))}
    </section>
  )
}
