import { Link, useSearchParams } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { Notebook, Tabs } from '../../features/notebook/notebook.tsx'
import { readTabName } from '../../features/notebook/rows.ts'
import { unreadAlerts } from '../../features/watching/alerts.ts'
import { AlertList } from '../../features/watching/alert-list.tsx'
import { useAlerts } from '../../features/watching/use-alerts.ts'
import { useScripted } from '../../lib/use-scripted.ts'
import styles from './notebook-page.module.css'

/** /notebook, with ?list=. The server renders the frame: only the browser knows what is in it. */
export function NotebookPage() {
  const [parameters] = useSearchParams()
  const scripted = useScripted()
  const tab = readTabName(parameters)
  const alerts = unreadAlerts(useAlerts() ?? [])
  return (
    <div className={`container ${styles['page']}`}>
      <PageHead
        title="帳面"
        description="お気に入り、履歴、自分のスレと書き込み。このブラウザに保存し、会員はほかの端末と合わせられます。"
        path={paths.notebook()}
        noindex
      />
      <h1 className="screen-title">帳面</h1>
      <p className={styles['scroll']}>
        <Link to={paths.scroll}>忍法帖（自分のレベル）</Link>
      </p>
      <Tabs tab={tab} alerts={alerts} />
      {scripted ? (
        tab === 'alerts' ? (
          <AlertList />
        ) : (
          <Notebook list={tab} />
        )
      ) : (
        <div className={styles['shell']}>
          <noscript>
            <p>帳面はこのブラウザの中に保存されます。表示するにはJavaScriptを有効にしてください。</p>
          </noscript>
        </div>
      )}
    </div>
  )
}
