import { useLocation } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { HomeIcon } from '../../ui/icons.tsx'
import { TornDimension } from '../../ui/motifs/torn-dimension.tsx'
import styles from './not-found-page.module.css'

/** 次元崩壊: the page, thread or category does not exist. Has one link, to home. */
export function NotFoundPage() {
  const { pathname } = useLocation()
  return (
    <div className={`container ${styles['page']}`}>
      <PageHead title="次元崩壊" description="お探しのページは見つかりませんでした。" path={pathname} noindex />
      <h1 className="visually-hidden">次元崩壊（404）</h1>
      <TornDimension title="次元崩壊" className={styles['picture']} />
      <p className={styles['words']}>
        ここにあったはずの頁は、時空の裂け目に消えました。
        <span className="meta">
          404{' '}
          {pathname.startsWith(paths.thread(''))
            ? 'このスレッドは、見つからないか、削除されました。'
            : 'お探しのページは見つかりませんでした。'}
        </span>
      </p>
      <ButtonLink to={paths.home} variant="primary" icon={<HomeIcon />}>
        トップへ戻る
      </ButtonLink>
    </div>
  )
}
