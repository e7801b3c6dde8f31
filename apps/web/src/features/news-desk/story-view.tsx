import { categoryLabel } from '@shinobi/contract/category-labels'
import { inFigures } from '@shinobi/contract/in-figures'
import type { NewsStory, SummarySentence } from '@shinobi/contract/news'
import { NEWS_PROBLEMS, SUMMARY_CURRENCY } from '@shinobi/contract/news-labels'
import type { ReactNode } from 'react'
import { paths } from '../../app/paths.ts'
import { SummarySeal } from '../threads/summary-seal.tsx'
import { DateTime } from '../../lib/date-time.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { NewTabLink, OutsideLink } from '../../ui/new-tab-link.tsx'
import styles from './story-view.module.css'

/** The kind of a story and how it was made, in one line. */
export function StoryFacts({ story }: { story: NewsStory }) {
  const { kind, category, model, madeAt, createdAt, milliseconds, promptVersion } = story
  const tokens = story.inputTokens + story.outputTokens
  return (
    <p className={styles['facts']}>
      <SummarySeal of={{ aiGenerated: kind === 'ai', summary: kind }} />
      <span>{category === null ? 'カテゴリなし' : categoryLabel(category)}</span>
      <DateTime value={madeAt ?? createdAt} />
      {model !== null && <span>{model}</span>}
      {tokens > 0 && (
        <span>
          {inFigures(tokens)}トークン・{(milliseconds / 1_000).toFixed(1)}秒
          {promptVersion !== null && `・指示文 ${promptVersion}`}
        </span>
      )}
    </p>
  )
}

/** The title; a link to the thread, once there is one. */
export const StoryTitle = ({ story: { title, threadId, state } }: { story: NewsStory }) =>
  threadId === null || state !== 'published' ? (
    <>{title}</>
  ) : (
    <NewTabLink href={paths.thread(threadId)}>{title}</NewTabLink>
  )

interface StoryViewProps {
  story: NewsStory
  /** The problem and the changed article are already shown above. */
  isMarked?: boolean
}

/**
 * Everything needed to judge a story: warnings first, then each sentence beside its source passage,
 * then the articles.
 */
export function StoryView({ story, isMarked = false }: StoryViewProps) {
  return (
    <div className={styles['story']}>
      <Warnings story={story} isMarked={isMarked} />
      <Sentences sentences={story.sentences} kind={story.kind} />
      <Sources sources={story.sources} />
      {story.corrections.length > 0 && (
        <section className={styles['part']}>
          <h3 className={styles['label']}>訂正</h3>
          <ul className={styles['sources']}>
            {story.corrections.map(({ at, note }) => (
              <li key={at}>
                <DateTime value={at} className={styles['time']} /> {note}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** The articles that a summary rests on. */
export const Sources = ({ sources }: Pick<NewsStory, 'sources'>) => (
  <section className={styles['part']}>
    <h3 className={styles['label']}>元記事</h3>
    <ul className={styles['sources']}>
      {sources.map(({ url, site, title, publishedAt }) => (
        <li key={url}>
          <span className={styles['site']}>{site}</span> <OutsideLink url={url}>{title}</OutsideLink>{' '}
          {publishedAt !== null && <DateTime value={publishedAt} className={styles['time']} />}
        </li>
      ))}
    </ul>
  </section>
)

/** Warnings that an administrator must see before the summary. */
function Warnings({ story, isMarked }: Required<StoryViewProps>) {
  const { state, suspicious, problem, findings, currency, changedAt } = story
  const changed = SUMMARY_CURRENCY[currency]
  return (
    <>
      {suspicious.length > 0 && (
        <section className={styles['suspicious']}>
          <h3 className={styles['alarm']}>
            <AlertIcon size={18} /> 機械に向けた文として除外
          </h3>
          <p className={styles['note']}>記事の中の次の文は、AIへの指示とみて要約に使っていません。</p>
          <ul className={styles['passages']}>
            {[...new Set(suspicious)].map((passage) => (
              <li key={passage} className={styles['passage']}>
                {passage}
              </li>
            ))}
          </ul>
        </section>
      )}
      {changed !== null && !isMarked && (
        <p className={styles['changed']}>
          {changed.words}
          {changedAt !== null && (
            <>
              （<DateTime value={changedAt} />
              に確認）
            </>
          )}
        </p>
      )}
      {isMarked && changedAt !== null && (
        <p className={styles['changed']}>
          <DateTime value={changedAt} />
          に元記事を確認
        </p>
      )}
      {problem !== null && !isMarked && <p className={styles['problem']}>{NEWS_PROBLEMS[problem]}</p>}
      {findings.length > 0 && (
        <section className={styles['part']}>
          <h3 className={styles['label']}>{state === 'waiting' ? '載せる前に確かめること' : '確認で見つかったこと'}</h3>
          <ul className={styles['findings']}>
            {[...new Set(findings)].map((finding) => (
              <li key={finding}>{finding}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface SentencesProps extends Pick<NewsStory, 'kind'> {
  sentences: readonly SummarySentence[]
  /** A mark above the text of a sentence. */
  renderMark?: (text: string) => ReactNode
}

/** Each sentence beside the passage that it rests on. */
export function Sentences({ sentences, kind, renderMark }: SentencesProps) {
  if (sentences.length === 0)
    return kind === 'headline' ? <p className={styles['note']}>見出しと元記事へのリンクだけを載せます。</p> : null
  return (
    <section>
      <div className={styles['heads']} aria-hidden="true">
        <span>要約</span>
        <span>元の文</span>
      </div>
      <ol className={styles['sentences']}>
        {sentences.map(({ text, quote }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the sentences are their places
          <li key={index} className={styles['sentence']}>
            <div>
              {renderMark?.(text)}
              <p className={styles['text']}>{text}</p>
            </div>
            {text === quote ? (
              <p className={styles['same']}>元の文をそのまま抜き出しています</p>
            ) : (
              <blockquote className={styles['quote']}>
                <span className="visually-hidden">元の文：</span>
                {quote}
              </blockquote>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
