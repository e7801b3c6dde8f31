import { inFigures } from '@shinobi/contract/in-figures'
import type { CaseReport, ModerationCase } from '@shinobi/contract/moderation'
import { may } from '@shinobi/contract/permissions'
import { DateTime } from '../../lib/date-time.tsx'
import { useMember } from '../accounts/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Tag } from '../../ui/seal.tsx'
import styles from './case-reports.module.css'

interface CaseReportsProps {
  one: ModerationCase
  onMute: (report: CaseReport) => void
}

/** The reporters of a post, their reasons, and how many of their earlier reports were right. */
export function CaseReports({ one: { reports, reportCount, voices, post }, onMute }: CaseReportsProps) {
  const mayMute = may(useMember(), 'muteReporters')
  return (
    <section className={styles['reports']} aria-label="通報">
      <h3 className={styles['title']}>
        通報 {inFigures(reportCount)}件<span className={styles['voices']}>有効な通報者 {inFigures(voices)}人</span>
      </h3>
      {reports.length === 0 && <p className={styles['none']}>通報はありません。禁止語によって載りました。</p>}
      <ul className={styles['list']}>
        {reports.map((report) => (
          <li key={report._id} className={styles['report']} data-muted={report.reporter.muted || undefined}>
            <p className={styles['reason']}>{report.reason}</p>
            <p className={styles['who']}>
              <b>{report.reporter.handle}</b>
              {report.reporter.isMember && <span>会員</span>}
              <span title="これまでの通報のうち、対応につながった数と却下された数">
                採用{report.reporter.upheld}・却下{report.reporter.dismissed}
              </span>
              <DateTime value={report.createdAt} />
              {report.reporter.muted && <Tag>除外中</Tag>}
              {mayMute && (
                <Button size="sm" variant="ghost" className={styles['mute']} onClick={() => onMute(report)}>
                  {report.reporter.muted ? '除外を解く' : '除外'}
                  <span className="visually-hidden">（{report.reporter.handle}）</span>
                </Button>
              )}
            </p>
            {report.seen !== '' && report.seen !== post.content && (
              <details className={styles['seen']}>
                <summary>通報された時の本文</summary>
                <p>{report.seen}</p>
              </details>
            )}
          </li>
        ))}
      </ul>
      {reportCount > reports.length && <p className={styles['none']}>ほか{reportCount - reports.length}件</p>}
    </section>
  )
}
