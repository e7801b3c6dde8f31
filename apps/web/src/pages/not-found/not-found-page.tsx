import type { Withdrawal } from '@shinobi/contract/news'
import { useLocation } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { HomeIcon } from '../../ui/icons.tsx'
import { OutsideLink } from '../../ui/new-tab-link.tsx'
import { TornDimension } from '../../ui/motifs/torn-dimension.tsx'
import styles from './not-found-page.module.css'

/**
 * 次元崩壊: the page, thread or category does not exist. Has one link, to home. A news thread that was
 * taken down leaves a notice here.
 */
export function NotFoundPage({ withdrawal }: { withdrawal?: Withdrawal | undefined }) {
  const { pathname } = useLocation()
  return (
    <div className={`container ${styles['page']}`}>
      <PageHead title="次元崩壊" description="お探しのページは見つかりませんでした。" path={pathname} noindex />
      <h1 className="visually-hidden">次元崩壊（404）</h1>
      <TornDimension title="次元崩壊" className={styles['picture']} />
      {withdrawal === undefined ? (
        <p className={styles['words']}>
          ここにあったはずの頁は、時空の裂け目に消えました。
          <span className="meta">
            404{' '}
            {pathname.startsWith(paths.thread(''))
              ? 'このスレッドは、見つからないか、削除されました。'
              : 'お探しのページは見つかりませんでした。'}
          </span>
        </p>
      ) : (
        <Notice withdrawal={withdrawal} />
      )}
      <ButtonLink to={paths.home} variant="primary" icon={<HomeIcon />}>
        トップへ戻る
      </ButtonLink>
    </div>
  )
}

/** What stood here, who took it down, why and when. */
function Notice({ withdrawal: { title, site, url, reason, at } }: { withdrawal: Withdrawal }) {
  return (
    <section className={styles['notice']} aria-labelledby="withdrawal">
      <h2 id="withdrawal">このニュースの要約は取り下げられました</h2>
      <dl>
        <dt>元記事</dt>
        <dd>
          {url === null ? title : <OutsideLink url={url}>{title}</OutsideLink>}（{site}）
        </dd>
        <dt>取り下げ</dt>
        <dd>
          忍板の運営、
          <DateTime value={at} />
        </dd>
        <dt>理由</dt>
        <dd>{reason}</dd>
      </dl>
    </section>
  )
}
