import { labelAction } from '@shinobi/contract/audit-labels'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { messages } from '@shinobi/contract/messages'
import type { PublicLogEntry } from '@shinobi/contract/moderation'
import { RULES } from '@shinobi/contract/rules'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { cursorOf, publicLogQuery } from '../../features/moderation/public-log.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Tag } from '../../ui/seal.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './moderation-log-page.module.css'

/**
 * 御触書: the public list of moderation actions with the rules applied, without the moderators and the
 * users concerned.
 */
export function ModerationLogPage() {
  const [parameters] = useSearchParams()
  const cursor = parameters.get('cursor')
  const { data, isError, refetch } = useQuery(publicLogQuery(cursor))
  const next = cursorOf(data?.next ?? null)
  return (
    <>
      <PageHead
        title="御触書"
        description="忍板の運営が行った削除、ロック、制限などの記録です。どの規約に基づいて何をしたかを、誰のことかを伏せて公開しています。"
        path={logPath(cursor)}
      />
      <div className={`container ${styles['page']}`}>
        <h1 className="screen-title">御触書</h1>
        <p className={styles['lead']}>
          運営がこの板で行ったことの記録です。理由は<Link to={`${paths.terms}#forbidden`}>利用規約の第二条</Link>
          によります。誰が行ったか、誰に対してかは載せません。
        </p>
        {cursor !== null && (
          <p className={styles['back']}>
            <Link to={paths.moderationLog}>最新の記録に戻る</Link>
          </p>
        )}
        {data !== undefined && data.items.length > 0 && (
          <ol className={styles['list']}>
            {data.items.map((entry) => (
              <Entry key={entry._id} entry={entry} />
            ))}
          </ol>
        )}
        {data !== undefined && data.items.length === 0 && <EmptyState title="まだ記録はありません。" />}
        {data === undefined && isError && <ErrorBox message={messages.unexpected} onRetry={() => void refetch()} />}
        {data === undefined && !isError && (
          <p className={styles['waiting']}>
            <Spinner label="読み込み中" />
          </p>
        )}
        {next !== null && (
          <p className={styles['more']}>
            <Link to={logPath(next)} rel="next">
              これより前の記録
            </Link>
          </p>
        )}
      </div>
    </>
  )
}

const logPath = (cursor: string | null): string =>
  cursor === null ? paths.moderationLog : `${paths.moderationLog}?cursor=${encodeURIComponent(cursor)}`

function Entry({ entry }: { entry: PublicLogEntry }) {
  const { threadId, title, number, category, rule } = entry
  return (
    <li className={styles['entry']} data-undone={entry.undone || undefined}>
      <DateTime value={entry.at} className={styles['time']} />
      <div className={styles['what']}>
        <p className={styles['action']}>
          <b>{labelAction(entry.action)}</b>
          {entry.undone && <Tag>取り消し済み</Tag>}
        </p>
        {threadId !== null && title !== null && (
          <p className={styles['place']}>
            <Link to={paths.thread(threadId)}>{title}</Link>
            {number !== null && <span className={styles['number']}>{number}</span>}
          </p>
        )}
        {(category !== null || rule !== null) && (
          <p className={styles['facts']}>
            {category !== null && <span>{categoryLabel(category)}</span>}
            {rule !== null && <span>理由：{RULES[rule]}</span>}
          </p>
        )}
      </div>
    </li>
  )
}
