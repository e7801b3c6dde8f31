import { useSearchParams } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { Notebook, Tabs } from '../../features/notebook/notebook.tsx'
import { readListName } from '../../features/notebook/rows.ts'
import { useScripted } from '../../lib/use-scripted.ts'
import styles from './notebook-page.module.css'

/** /notebook, with ?list=. The server renders the frame: only the browser knows what is in it. */
export function NotebookPage() {
  const [parameters] = useSearchParams()
  const scripted = useScripted()
  const list = readListName(parameters)
  return (
    <div className={`container ${styles['page']}`}>
      <PageHead
        title="帳面"
        description="お気に入り、履歴、自分のスレと書き込み。このブラウザに保存し、会員はほかの端末と合わせられます。"
        path={paths.notebook()}
        noindex
      />
      <h1 className="screen-title">帳面</h1>
      {scripted ? (
        <Notebook list={list} />
      ) : (
        <>
          <Tabs list={list} records={[]} />
          <div className={styles['shell']}>
            <noscript>
              <p>帳面はこのブラウザの中に保存されます。表示するにはJavaScriptを有効にしてください。</p>
            </noscript>
          </div>
        </>
      )}
    </div>
  )
}
