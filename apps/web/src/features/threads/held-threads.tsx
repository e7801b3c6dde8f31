import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../app/paths.ts'
import type { ApprovedItem, HeldItem } from '../held/held.ts'
import { HeldState } from '../held/held-state.tsx'
import { useHeld } from '../held/use-held.ts'
import { rememberOwnThread } from '../reading/own-posts.ts'
import { threadKeys } from './api.ts'
import styles from './held-threads.module.css'
import { putThreadBack, type OnOpened } from './use-create-thread.ts'

function rememberOpened(items: readonly ApprovedItem[], onOpened: OnOpened): void {
  for (const { threadId, title, name, owner } of items) {
    if (threadId === null) continue
    rememberOwnThread({ _id: threadId, title: title ?? '', categoryId: null })
    if (owner === null) onOpened(threadId, name ?? '')
  }
}

/**
 * The visitor's own held threads of a category (by name), which wait for a moderator. They are
 * shown above its list, and only to their writer.
 * @param onOpened must be stable
 */
export function HeldThreads({ category, onOpened }: { category: string; onOpened: OnOpened }) {
  const client = useQueryClient()
  const onApproved = useCallback(
    (items: readonly ApprovedItem[]) => {
      rememberOpened(items, onOpened)
      void client.invalidateQueries({ queryKey: threadKeys.lists })
    },
    [client, onOpened],
  )
  // Threads of all categories are asked for: a category may be gone, and its threads moved.
  const held = useHeld('thread', null, () => null, onApproved).filter(({ place }) => place === category)
  const navigate = useNavigate()
  const rewrite = (item: HeldItem) => {
    putThreadBack(item)
    void navigate(paths.create(item.place))
  }
  if (held.length === 0) return null
  return (
    <section aria-label="確認を待っている自分のスレッド">
      {held.map((item) => (
        <article key={item.id} className={styles['thread']}>
          <h2 className={styles['title']}>{item.title}</h2>
          <p className={styles['meta']}>
            <HeldState item={item} onRewrite={rewrite} />
          </p>
          <details>
            <summary className={styles['fold']}>本文を読む</summary>
            <p className={styles['text']}>{item.content}</p>
            {item.hasImage && <p className={styles['meta']}>画像1枚</p>}
          </details>
        </article>
      ))}
    </section>
  )
}
