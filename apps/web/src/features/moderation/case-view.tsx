import { categoryLabel } from '@shinobi/contract/category-labels'
import type { CaseReport, ModerationCase } from '@shinobi/contract/moderation'
import type { ReactNode, Ref } from 'react'
import { paths } from '../../app/paths.ts'
import { ExternalIcon } from '../../ui/icons.tsx'
import { NewTabLink } from '../../ui/new-tab-link.tsx'
import { Seal, Tag } from '../../ui/seal.tsx'
import { CaseReports } from './case-reports.tsx'
import styles from './case-view.module.css'
import { CoveredImage } from './covered-image.tsx'
import { DeskPost } from './desk-post.tsx'

interface CaseViewProps {
  ref?: Ref<HTMLElement>
  one: ModerationCase
  imageShown: boolean
  onImage: () => void
  onMute: (report: CaseReport) => void
  /** Above everything: the decision, if there is one. */
  children?: ReactNode
  /** Below the posts: the summary of news, if that was reported. */
  summary?: ReactNode
  /** Below the reports. */
  foot?: ReactNode
}

/** Link to the post in its thread. */
export const postHref = ({ thread, post }: ModerationCase): string => `${paths.thread(thread._id)}#${post.number}`

/** One reported post in full: its thread, the posts around it, and its reports. */
export function CaseView({ ref, one, imageShown, onImage, onMute, children, summary, foot }: CaseViewProps) {
  const { thread, post, ownerNotes, context, flag } = one
  const before = context.filter(({ number }) => number < post.number)
  const after = context.filter(({ number }) => number > post.number)
  return (
    <article ref={ref} className={styles['case']} tabIndex={-1} aria-label={`${thread.title} の ${post.number}`}>
      <header className={styles['head']}>
        <h2 className={styles['title']}>
          <NewTabLink href={postHref(one)}>
            {thread.title}
            <ExternalIcon size={14} />
          </NewTabLink>
        </h2>
        <p className={styles['facts']}>
          <span>{categoryLabel(thread.category)}</span>
          {thread.locked && <Seal>ロック</Seal>}
          {thread.removed && <Seal>削除済み</Seal>}
          {flag !== null && <Tag>禁止語「{flag}」</Tag>}
        </p>
      </header>
      {children}
      <div className={styles['posts']}>
        {before.map((other) => (
          <DeskPost key={other._id} post={other} sameWriter={other.writer === post.writer} />
        ))}
        <DeskPost post={post} main>
          {ownerNotes.map((text) => (
            <p key={text} className={styles['note']}>
              <Tag>スレ主の追記</Tag> {text}
            </p>
          ))}
          <CoveredImage image={post} shown={imageShown} onToggle={onImage} />
        </DeskPost>
        {after.map((other) => (
          <DeskPost key={other._id} post={other} sameWriter={other.writer === post.writer} />
        ))}
      </div>
      {summary}
      <CaseReports one={one} onMute={onMute} />
      {foot}
    </article>
  )
}
