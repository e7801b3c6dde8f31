import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { buttonBeside } from '../../lib/button-beside.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './rule-list.module.css'
import { describeRule, removeRule, type HidingRule } from './rules.ts'

/** The visitor's rules, newest first, each with what it hides and a button that ends it. */
export function RuleList({ rules, now }: { rules: readonly HidingRule[]; now: number }) {
  return (
    <ul className={styles['list']}>
      {rules.toReversed().map((rule) => (
        <li key={rule.id} className={styles['rule']}>
          <p className={styles['what']}>{describeRule(rule)}</p>
          <p className={`meta ${styles['how']}`}>
            {rule.threadId !== null && <Link to={paths.thread(rule.threadId)}>このスレッドだけ</Link>}
            {rule.chain && <span>返信も隠す</span>}
            {rule.traceless && <span>行を残さない</span>}
            {rule.endsAt === null ? (
              <span>期限なし</span>
            ) : rule.endsAt <= now ? (
              <span>期限切れ</span>
            ) : (
              <span>
                <DateTime value={new Date(rule.endsAt).toISOString()} />
                まで
              </span>
            )}
          </p>
          <Button
            onClick={({ currentTarget }) => {
              buttonBeside(currentTarget)?.focus({ preventScroll: true })
              removeRule(rule.id, Date.now())
            }}
          >
            外す<span className="visually-hidden">{`（${describeRule(rule)}）`}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
