import type { NewsSourceArticle, SummarySentence, ThreadSummary } from '@shinobi/contract/news'
import { SUMMARY_CURRENCY } from '@shinobi/contract/news-labels'
import type { ReactNode } from 'react'
import { DateTime } from '../../lib/date-time.tsx'
import { cx } from '../../ui/cx.ts'
import { AlertIcon, ChevronIcon } from '../../ui/icons.tsx'
import { OutsideLink } from '../../ui/new-tab-link.tsx'
import { passageAddress } from './passage-address.ts'
import styles from './summary.module.css'

interface SummaryProps {
  summary: ThreadSummary
  /** The buttons that report an error in it, or in one of its sentences; provided by the page. */
  report: ReactNode
  renderSentenceReport: (text: string) => ReactNode
  /** The thread's opening text, for a headline, which has no sentences of its own. */
  children: ReactNode
}

/**
 * The opening of a news thread: the summary, each sentence with its source; corrections; then who
 * made it and when, and the articles. A headline alone shows the thread's opening text instead of
 * sentences.
 */
export function Summary({ summary, report, renderSentenceReport, children }: SummaryProps) {
  const { kind, sentences, sources, state, changedAt, corrections } = summary
  const [article, ...others] = sources
  return (
    <div className={styles['summary']}>
      <Currency state={state} changedAt={changedAt} />
      {sentences.length === 0 ? (
        children
      ) : (
        <ul className={styles['sentences']} aria-label="要約">
          {sentences.map((sentence, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a corrected sentence keeps its key, so that its passage stays open while it is read
            <li key={index}>
              <Sentence sentence={sentence} article={article} report={renderSentenceReport(sentence.text)} />
            </li>
          ))}
        </ul>
      )}
      {corrections.length > 0 && (
        <ul className={styles['corrections']} aria-label="訂正の記録">
          {corrections.map(({ at, note, changes }) => (
            <li key={at + note}>
              <b>訂正</b> <DateTime value={at} />：{note}
              {changes.map(({ before, after }) => (
                <p key={before} className={styles['change']}>
                  <del>{before}</del> <ins>{after}</ins>
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
      <div className={styles['origin']}>
        <p>
          <Maker summary={summary} />
        </p>
        {article !== undefined && (
          <p>
            元記事：
            <Article article={article} gone={state === 'gone'} />
          </p>
        )}
        {others.length > 0 && (
          <div>
            <p>同じ出来事を伝える記事</p>
            <ul className={styles['others']} aria-label="同じ出来事を伝える記事">
              {others.map((other) => (
                <li key={other.url}>
                  <Article article={other} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <div className={styles['report']}>
          {kind === 'ai' && <p>AIの要約は誤ることがあります。</p>}
          {report}
        </div>
      </div>
    </div>
  )
}

interface SentenceProps {
  sentence: SummarySentence
  article: NewsSourceArticle | undefined
  report: ReactNode
}

/**
 * A sentence with the passage of the article that it is based on. The passage is in a <details>,
 * which opens by keyboard and without scripts.
 */
function Sentence({ sentence: { text, quote }, article, report }: SentenceProps) {
  const end = END.exec(text)?.[0] ?? ''
  const address = article && passageAddress(article.url, quote)
  const renderWords = (badge: ReactNode) => (
    <>
      {text.slice(0, text.length - end.length)}
      <span className={styles['end']}>
        {end}
        {badge}
      </span>
    </>
  )
  // A verbatim quotation has no other passage to open: it links to its place in the article.
  if (text === quote && address !== undefined) {
    return (
      <p className={styles['words']}>
        {renderWords(
          <OutsideLink url={address} className={cx(styles['basis'], styles['place'])}>
            元の文
          </OutsideLink>,
        )}
      </p>
    )
  }
  return (
    <details className={styles['sentence']}>
      <summary className={styles['words']}>
        {renderWords(
          <span className={styles['basis']}>
            根拠
            <ChevronIcon size={12} direction="down" />
          </span>,
        )}
      </summary>
      <figure className={styles['passage']}>
        <blockquote cite={article?.url}>{quote}</blockquote>
        <figcaption>
          {address !== undefined && (
            <OutsideLink url={address} className={styles['link']}>
              {article?.site}の元記事
            </OutsideLink>
          )}
          {report}
        </figcaption>
      </figure>
    </details>
  )
}

/**
 * The closing punctuation stays on one line with 根拠 and the character before it: alone on a line,
 * 根拠 would look like a separate sentence.
 */
const END = /[。．！？」』）.!?]*$/u

function Currency({ state, changedAt }: Pick<ThreadSummary, 'state' | 'changedAt'>) {
  const change = SUMMARY_CURRENCY[state]
  if (change === null) return null
  return (
    <p className={styles['changed']}>
      <AlertIcon size={16} />
      <span>
        {change.words}
        {changedAt !== null && (
          <span className={styles['noticed']}>
            （<DateTime value={changedAt} /> に確認）
          </span>
        )}
      </span>
    </p>
  )
}

/** The model, and the time. */
function Maker({ summary: { kind, model, madeAt } }: { summary: ThreadSummary }) {
  const time = <DateTime value={madeAt} />
  if (kind === 'ai') {
    return (
      <>
        AI{model !== null && `（${model}）`}が {time} に要約
      </>
    )
  }
  return kind === 'extractive' ? <>元記事の文を抜き出した要約（抜粋要約）・{time} に作成</> : <>{time} に作成</>
}

function Article({
  article: { site, title, url, publishedAt },
  gone = false,
}: {
  article: NewsSourceArticle
  /** It no longer existed at the last check. */
  gone?: boolean
}) {
  return (
    <>
      <OutsideLink url={url} className={styles['link']}>
        {title}
      </OutsideLink>
      {gone && <b className={styles['gone']}>（いまは見られません）</b>}（{site}
      {publishedAt !== null && (
        <>
          ・<DateTime value={publishedAt} />
        </>
      )}
      ）
    </>
  )
}
