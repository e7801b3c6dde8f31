import type { AdminPost, WriterHistory } from '@shinobi/contract/admin'
import { labelDecision } from '@shinobi/contract/audit-labels'
import type { Ban, BanTarget } from '@shinobi/contract/bans'
import { inFigures } from '@shinobi/contract/in-figures'
import { WRITER_POSTS } from '@shinobi/contract/limits'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Seal } from '../../ui/seal.tsx'
import { useAdminId, writerQuery } from './api.ts'
import { BAN_KINDS, BanEnd, BanScope } from '../moderation/ban-words.tsx'
import { Loaded } from './screen.tsx'
import { useLast } from './use-last.ts'
import styles from './writer-dialog.module.css'

interface WriterDialogProps {
  /** A member, or the writer of a post; null closes the dialog. */
  target: BanTarget | null
  onClose: () => void
}

/** Recent posts of a writer, and the decisions on them. */
export function WriterDialog({ target, onClose }: WriterDialogProps) {
  const last = useLast(target)
  return (
    <Dialog open={target !== null} onClose={onClose} title="書き手の履歴">
      {last && <History target={last} />}
    </Dialog>
  )
}

function History({ target }: { target: BanTarget }) {
  return (
    <Loaded query={useQuery(writerQuery(useAdminId(), target))}>{(history) => <Sections history={history} />}</Loaded>
  )
}

function Sections({ history: { label, memberSince, posts, threads, cases, bans } }: { history: WriterHistory }) {
  return (
    <>
      <p className={styles['who']}>
        <b>{label}</b>
        <span className={styles['fact']}>
          {memberSince === null ? (
            '会員ではない人。同じブラウザからの書き込みです。'
          ) : (
            <>
              会員（
              <DateTime value={memberSince} />
              に登録）
            </>
          )}
        </span>
      </p>
      <Section title="書き込みの制限" none="制限されたことはありません。" rows={bans}>
        {(ban) => <BanRow key={ban._id} ban={ban} />}
      </Section>
      <Section title="受けた通報" none="通報されたことはありません。" rows={cases}>
        {({ threadId, postId, number, title, status, reports, decision, createdAt }) => (
          <li key={postId}>
            <Link to={`${paths.thread(threadId)}#${number}`}>
              {title} {number}番
            </Link>
            <p className={styles['fact']}>
              通報{inFigures(reports)}件<span>{status === 'open' ? '未対応' : labelDecision(decision)}</span>
              <DateTime value={createdAt} />
            </p>
          </li>
        )}
      </Section>
      <Section title="立てたスレッド" none="スレッドは立てていません。" rows={threads}>
        {({ _id, title, categoryId, category, createdAt, removed }) => (
          <li key={_id}>
            {removed ? title : <Link to={paths.thread(_id)}>{title}</Link>}
            <p className={styles['fact']}>
              {removed && <Seal>削除</Seal>}
              <span>{categoryLabel(categoryId?.name ?? category)}</span>
              <DateTime value={createdAt} />
            </p>
          </li>
        )}
      </Section>
      <Section title="書き込み" none="書き込みは見つかりません。" rows={posts} max={WRITER_POSTS}>
        {(post) => <PostRow key={post._id} post={post} />}
      </Section>
    </>
  )
}

interface SectionProps<Row> {
  title: string
  none: string
  rows: readonly Row[]
  /** The maximum of rows. */
  max?: number
  children: (row: Row) => ReactNode
}

function Section<Row>({ title, none, rows, max, children }: SectionProps<Row>) {
  return (
    <section className={styles['section']}>
      <h3 className={styles['title']}>
        {title}
        {rows.length > 0 && <span className={styles['count']}>{inFigures(rows.length)}件</span>}
      </h3>
      {rows.length === 0 ? (
        <p className={styles['none']}>{none}</p>
      ) : (
        <ul className={styles['list']}>{rows.map(children)}</ul>
      )}
      {rows.length === max && <p className={styles['none']}>新しいものから{inFigures(max)}件までを表示しています。</p>}
    </section>
  )
}

function BanRow({ ban }: { ban: Ban }) {
  return (
    <li>
      <Seal tone="gold">{BAN_KINDS[ban.kind]}</Seal> {ban.reason}
      <p className={styles['fact']}>
        <span>
          <BanScope ban={ban} />
        </span>
        <span>
          <DateTime value={ban.createdAt} />〜<BanEnd ban={ban} />
        </span>
      </p>
    </li>
  )
}

function PostRow({ post: { threadId, number, name, content, imageUrl, createdAt, deleted } }: { post: AdminPost }) {
  return (
    <li>
      {threadId !== null && (
        <Link to={`${paths.thread(threadId._id)}#${number}`}>
          {threadId.title} {number}番
        </Link>
      )}
      <p className={styles['fact']}>
        {deleted && <Seal>削除</Seal>}
        {name !== null && <span>{name}</span>}
        <DateTime value={createdAt} />
        {imageUrl !== null && <span>画像あり</span>}
      </p>
      {content !== '' && <p className={styles['text']}>{content}</p>}
    </li>
  )
}
