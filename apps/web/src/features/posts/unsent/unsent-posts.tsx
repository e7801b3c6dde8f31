import { messages } from '@shinobi/contract/messages'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../accounts/use-session.ts'
import { useRequest } from '../../../lib/use-request.ts'
import { Button } from '../../../ui/button.tsx'
import { Seal } from '../../../ui/seal.tsx'
import held from '../held-posts.module.css'
import { PostText } from '../post-text.tsx'
import { useThreadActions } from '../thread-context.ts'
import styles from './unsent-posts.module.css'
import { closeRefusal, sendAgain, takeBack, type ShownPost } from './unsent.ts'

const JUST_NOW_MS = 2_000

/** The visitor's own posts that the server does not have, after the newest post. */
export function UnsentPosts({ posts }: { posts: readonly ShownPost[] }) {
  const list = useRef<HTMLElement>(null)
  const newest = posts.at(-1)
  const newestId = newest?.id
  const wantedAt = newest?.wantedAt ?? 0
  useEffect(() => {
    // A post written just now is scrolled into view, like any own post.
    if (Date.now() - wantedAt > JUST_NOW_MS) return
    list.current?.lastElementChild?.scrollIntoView({ block: 'end', behavior: 'instant' })
  }, [newestId, wantedAt])
  return (
    <section ref={list} aria-label="まだ送っていない自分の書き込み">
      {posts.map((post) => (
        <Unsent key={post.id} post={post} />
      ))}
    </section>
  )
}

function Unsent({ post }: { post: ShownPost }) {
  const { write } = useThreadActions()
  const { status, user } = useSession()
  const { busy, send } = useRequest()
  const { standing } = post
  /** Written without an account, or before the session was known: a member decides. */
  const isOthers = status === 'in' && post.owner !== user._id
  const tried = (work: () => Promise<unknown>) =>
    void send(
      async () => void (await work()),
      () => messages.unexpected,
    )
  const article = useRef<HTMLElement>(null)
  const edit = () => takeBack(post, ({ content, image }) => write?.(content, image) ?? false)
  const isUntold = post.refusal !== null && !post.isTold
  useEffect(() => {
    if (!isUntold || article.current === null) return undefined
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true && document.visibilityState === 'visible') void closeRefusal(post.id)
    })
    observer.observe(article.current)
    return () => observer.disconnect()
  }, [isUntold, post.id])
  return (
    <article ref={article} className={held['post']} data-status={standing === 'refused' ? 'rejected' : 'waiting'}>
      <header className={held['meta']}>
        <Seal tone={standing === 'refused' ? 'vermilion' : 'gold'}>
          {standing === 'refused' ? '未送信' : '送信待ち'}
        </Seal>
        <span className={held['name']}>{post.name}</span>
        <span role="status">
          {post.refusal ??
            (isOthers
              ? 'ログアウトしているときに書いたものです。「編集」から、会員の名前で送れます。'
              : standing === 'asking'
                ? '書いてから1日以上たちました。いま送りますか？'
                : post.notBefore > 0
                  ? messages.unsent_later
                  : messages.unsent_waiting)}
        </span>
      </header>
      <PostText content={post.content} />
      {post.image !== null && <Picture file={post.image} />}
      <div className={styles['buttons']}>
        {standing !== 'waiting' && !isOthers && (
          <Button size="sm" busy={busy} onClick={() => tried(() => sendAgain(post.id))}>
            {standing === 'asking' ? '送る' : 'もう一度送る'}
          </Button>
        )}
        {write !== null && (
          <Button size="sm" busy={busy} onClick={() => tried(edit)}>
            編集
          </Button>
        )}
        <Button size="sm" variant="ghost" busy={busy} onClick={() => tried(() => takeBack(post))}>
          取り消す
        </Button>
      </div>
    </article>
  )
}

function Picture({ file }: { file: File }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url === null ? null : <img className={styles['image']} src={url} alt="添付する画像のプレビュー" />
}
