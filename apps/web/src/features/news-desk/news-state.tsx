import { inFigures } from '@shinobi/contract/in-figures'
import type { NewsStatus } from '@shinobi/contract/news'
import { explainIdle } from '@shinobi/contract/news-labels'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import type { Results } from '../admin/results.tsx'
import { useAct } from '../admin/use-act.ts'
import { resumeNews, stopNews } from './api.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { Button } from '../../ui/button.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import styles from './news-state.module.css'
import { ReasonDialog } from './reason-dialog.tsx'

interface NewsStateProps {
  status: NewsStatus
  results: Results
  onChanged: () => Promise<void>
}

/**
 * Whether news are active, the switch for all of them, the results of the last day, and the cost of
 * the language model.
 */
export function NewsState({ status, results, onChanged }: NewsStateProps) {
  const [stopping, setStopping] = useState(false)
  const { busy, act } = useAct({ results, onChanged })
  /** On small viewports the figures fold behind a button: waiting stories come first. */
  const [open, setOpen] = useState(false)
  const detailsId = useId()
  const { active, day, pending, waiting } = status

  const figures = [
    { label: '見つけた記事', value: day.found },
    { label: '処理待ち', value: pending },
    { label: '承認待ち', value: waiting },
    { label: '掲載', value: day.published },
    { label: '見送り', value: day.skipped },
    { label: '要約できず', value: day.refused },
  ]
  return (
    <section className={styles['panel']} aria-label="ニュースの状態">
      <div className={styles['state']}>
        <p className={styles['now']} data-on={active}>
          {active ? '稼働中' : '止まっています'}
        </p>
        <p className={styles['words']}>
          <Progress status={status} />
        </p>
        {status.idle !== null && <p className={styles['words']}>2日間スレッドなし：{explainIdle(status.idle)}</p>}
        {active && <Pause status={status} />}
        {active ? (
          <Button variant="danger" onClick={() => setStopping(true)}>
            すべて止める
          </Button>
        ) : (
          <Button
            variant="primary"
            busy={busy !== null}
            onClick={() => void act('resume', resumeNews, 'ニュースを再開しました。')}
          >
            再開する
          </Button>
        )}
        <Button
          variant="ghost"
          className={styles['toggle']}
          aria-expanded={open}
          aria-controls={detailsId}
          icon={<ChevronIcon size={16} direction={open ? 'up' : 'down'} />}
          onClick={() => setOpen(!open)}
        >
          数字
        </Button>
      </div>
      <div id={detailsId} className={styles['details']} data-open={open}>
        <div>
          <dl className={styles['figures']}>
            {figures.map(({ label, value }) => (
              <div key={label} className={styles['figure']}>
                <dt>{label}</dt>
                <dd>{inFigures(value)}</dd>
              </div>
            ))}
          </dl>
          <p className={styles['span']}>待ちはいまの数、ほかは直近24時間の数です。</p>
        </div>
        <Model status={status} />
      </div>
      <ReasonDialog
        open={stopping}
        title="ニュースを止める"
        label="すべて止める"
        withdrawHint="これまでに載せた記事のスレッドを、書き込みごと板から消します。"
        onClose={() => setStopping(false)}
        onConfirm={async (reason, withdraw) => {
          const withdrawn = await stopNews(null, reason, withdraw)
          setStopping(false)
          results.say(
            withdrawn > 0
              ? `ニュースを止め、${countOf(withdrawn)}のスレッドを取り下げました。`
              : 'ニュースを止めました。',
          )
          await onChanged()
        }}
      >
        <p>すべての情報源の収集、要約、掲載を止めますか？再開するまで、何も載りません。</p>
      </ReasonDialog>
    </section>
  )
}

const countOf = (count: number): string => `${inFigures(count)}件`

function Progress({ status: { active, running, scheduled, lastRunAt } }: { status: NewsStatus }) {
  if (!active) return '収集も、要約も、掲載もしません。'
  if (running) return 'いま情報源を見ています。'
  return (
    <>
      {lastRunAt === null ? (
        'まだ一度も見ていません。'
      ) : (
        <>
          最終取得
          <DateTime value={lastRunAt} />。
        </>
      )}
      {!scheduled && 'このサーバーは、自分からは見に行きません（NEWS_SCHEDULE）。'}
    </>
  )
}

/** Why the language model pauses its summaries. */
function Pause({ status: { paused, tokens } }: { status: NewsStatus }) {
  if (paused === null) return null
  const isBudget = paused.cause === 'budget'
  if (isBudget && (tokens.hourLimit === 0 || tokens.dayLimit === 0))
    return (
      <p className={styles['paused']}>
        要約に使える量が0のため、言語モデルを使いません。<Link to={paths.admin('settings')}>設定</Link>で変えられます。
      </p>
    )
  return (
    <p className={styles['paused']}>
      {isBudget ? '要約に使える量の上限に達したため' : '言語モデルの失敗が続いたため'}、要約を
      <DateTime value={paused.until} />
      まで休んでいます。
    </p>
  )
}

/** The language model in use, and how much of its budget is used up. */
function Model({ status: { model, tokens, cost, day } }: { status: NewsStatus }) {
  if (model === null)
    return (
      <div className={styles['model']}>
        <p className={styles['name']}>抜粋のみ</p>
        <p className={styles['words']}>
          言語モデルを使わず、元の文を抜き出します。LLM_BASE_URLを設定すると、AIが要約します。
        </p>
      </div>
    )
  return (
    <div className={styles['model']}>
      <p className={styles['name']}>
        <span className={styles['words']}>言語モデル</span> {model}
      </p>
      <Meter label="1時間" value={tokens.hour} limit={tokens.hourLimit} />
      <Meter label="24時間" value={tokens.day} limit={tokens.dayLimit} />
      <p className={styles['words']}>
        24時間の呼び出し {inFigures(day.calls)}回（失敗 {inFigures(day.callsFailed)}回）
      </p>
      {cost !== null && <Cost {...cost} />}
    </div>
  )
}

function Cost({ currency, day, month, unpriced }: NonNullable<NewsStatus['cost']>) {
  const money = new Intl.NumberFormat('ja-JP', { style: 'currency', currency })
  return (
    <p className={styles['words']}>
      費用 24時間 {money.format(day)}・30日 {money.format(month)}
      {unpriced.length > 0 && `（${unpriced.join('、')}は単価がないため含みません）`}
    </p>
  )
}

function Meter({ label, value, limit }: { label: string; value: number; limit: number }) {
  return (
    <div>
      <p className={styles['meter']}>
        <span>{label}のトークン</span>
        <span>
          {inFigures(value)} / {limit === 0 ? '使わない設定' : inFigures(limit)}
        </span>
      </p>
      <ProgressBar value={limit === 0 ? 0 : value / limit} label={`${label}のトークン`} />
    </div>
  )
}
