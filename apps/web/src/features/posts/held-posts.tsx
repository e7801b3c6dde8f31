import type { Post } from '@shinobi/contract/posts'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { forgetHeld, type HeldItem } from '../../lib/held.ts'
import { NAMELESS } from '@shinobi/contract/nameless'
import { useHeld } from '../../lib/use-held.ts'
import { Button } from '../../ui/button.tsx'
import { Seal } from '../../ui/seal.tsx'
import styles from './held-posts.module.css'
import { rememberOwn } from './own-posts.ts'
import { PostText } from './post-text.tsx'

const JUST_NOW_MS = 2_000

/** A nickname belongs to one visitor of a thread: what came under the own one is worth a question. */
const newestBy = (posts: readonly Post[], [held]: readonly HeldItem[]): number =>
  held === undefined ? 0 : (posts.findLast((post) => post.name === held.name)?.number ?? 0)

/**
 * The own posts that wait for a moderator, after the newest post: where they will stand, for their writer alone. A real one that
 * arrives takes the place of its double.
 */
export function HeldPosts({ threadId, posts }: { threadId: string; posts: readonly Post[] }) {
  const shown = useRef(posts)
  useLayoutEffect(() => {
    shown.current = posts
  }, [posts])
  const onApproved = useCallback((items: readonly HeldItem[]) => {
    for (const { name, content } of items) {
      const real = shown.current.findLast((post) => post.name === name && post.content === content)
      if (real !== undefined && real.userId === null) rememberOwn(real._id)
    }
  }, [])
  const held = useHeld('post', threadId, (items) => newestBy(posts, items), onApproved)
  const list = useRef<HTMLElement>(null)
  const newest = held.at(-1)
  useEffect(() => {
    // Just written: like any own post it comes into sight. One from before stays where it is.
    if (newest === undefined || Date.now() - newest.at > JUST_NOW_MS) return
    list.current?.lastElementChild?.scrollIntoView({ block: 'end', behavior: 'instant' })
  }, [newest])
  if (held.length === 0) return null
  return (
    <section ref={list} aria-label="確認を待っている自分の書き込み">
      {held.map((item) => (
        <article key={item.id} className={styles['post']} data-status={item.status}>
          <header className={styles['meta']}>
            <Seal tone={item.status === 'waiting' ? 'gold' : 'vermilion'}>
              {item.status === 'waiting' ? '確認待ち' : '却下'}
            </Seal>
            <span className={styles['name']}>{item.name ?? NAMELESS}</span>
            <span>
              {item.status === 'waiting' ? 'あなたにだけ見えています。' : '運営の確認により、公開されませんでした。'}
            </span>
          </header>
          <PostText content={item.content} />
          {item.hasImage && <p className={styles['note']}>画像1枚</p>}
          {item.status === 'rejected' && (
            <Button size="sm" variant="ghost" className={styles['close']} onClick={() => forgetHeld(item.id)}>
              閉じる
            </Button>
          )}
        </article>
      ))}
    </section>
  )
}
