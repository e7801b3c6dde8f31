import { LEVEL_MAX } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Scroll } from '@shinobi/contract/scroll'
import { useQuery } from '@tanstack/react-query'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { useSession } from '../../features/accounts/use-session.ts'
import { useScripted } from '../../lib/use-scripted.ts'
import { Failed } from '../../ui/failed.tsx'
import { Seal, Tag } from '../../ui/seal.tsx'
import { DrawnScroll } from './drawn-scroll.tsx'
import { Moving } from './moving.tsx'
import { scrollQuery } from '../../features/levels/api.ts'
import styles from './scroll-page.module.css'
import { OPENINGS, sayNext, sayToday } from './scroll-words.ts'

/** 忍法帖: the own level. The server renders the rules; the level is fetched, as it is personal. */
export function ScrollPage() {
  const scripted = useScripted()
  return (
    <div className={`container ${styles['page']}`}>
      <PageHead
        title="忍法帖"
        description="忍法帖は、この板で書き込みを続けると上がるレベルです。レベルで使えるようになることと、決まりの説明です。"
        path={paths.scroll}
      />
      <h1 className="screen-title">忍法帖</h1>
      <p className={styles['lead']}>書き込みを続けると上がるレベルです。ほかの人には見えません。</p>
      {scripted ? (
        <OwnScroll />
      ) : (
        <div className={styles['shell']}>
          <noscript>
            <p>自分のレベルを表示するには、JavaScriptを有効にしてください。</p>
          </noscript>
        </div>
      )}
      <section aria-labelledby="scroll-rules" className={styles['part']}>
        <h2 id="scroll-rules">レベルの決まり</h2>
        <ul className={styles['rules']}>
          <li>
            書き込んだ日が終わると（日本時間の0時）、レベルが1上がります。何件書いても1日に1つで、最高は{LEVEL_MAX}
            です。
          </li>
          <li>
            書き込みやスレッドを運営に削除されると、1件につき1下がり、その日は数えません。下がった分は、削除のない書き込みの日ごとに1つ戻ります。
          </li>
          <li>運営が削除を取り消すと、元に戻ります。自分で消した書き込みでは下がりません。</li>
          <li>
            レベルはブラウザごとにあります。ログイン中はアカウントのレベルになり、どの端末でも同じです。退会すると消えます。
          </li>
          <li>レベルが低くても、返信を断られることはありません。長いあいだ書き込まないと、最初からになります。</li>
        </ul>
      </section>
    </div>
  )
}

function OwnScroll() {
  const { status, user } = useSession()
  const userId = user?._id ?? null
  const { data, error, refetch } = useQuery({ ...scrollQuery(userId), enabled: status !== 'loading' })
  if (data === undefined) {
    return (
      <div className={styles['shell']}>
        {error !== null && <Failed error={error} message={messages.scroll_failed} onRetry={() => void refetch()} />}
      </div>
    )
  }
  return (
    <>
      <DrawnScroll scroll={data} />
      <State scroll={data} />
      <Openings scroll={data} />
      <Moving scroll={data} userId={userId} />
    </>
  )
}

function State({ scroll }: { scroll: Scroll }) {
  const next = sayNext(scroll)
  return (
    <div className={styles['state']}>
      <p>{sayToday(scroll)}</p>
      {scroll.removals > 0 && <p>運営に削除された{scroll.removals}件の分、下がっています。</p>}
      {next !== null && (
        <p>
          次の印はレベル{next.level}です。{next.need}
        </p>
      )}
    </div>
  )
}

function Openings({ scroll: { opens } }: { scroll: Scroll }) {
  if (opens.length === 0) return null
  return (
    <section aria-labelledby="scroll-openings" className={styles['part']}>
      <h2 id="scroll-openings">レベルで使えるようになること</h2>
      <ul className={styles['openings']}>
        {opens.map(({ what, level, isOpen }) => (
          <li key={what} data-open={isOpen}>
            {isOpen ? <Seal tone="teal">済</Seal> : <Tag>レベル{level}から</Tag>}
            <span>{OPENINGS[what]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
