import { useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Screen } from '../../../features/admin/screen.tsx'
import type { CaseSort } from '../../../features/moderation/api.ts'
import { ClosedCases } from '../../../features/moderation/closed-cases.tsx'
import { ReportedSummary } from '../../../features/news-desk/reported-summary.tsx'
import { ReportsDesk } from '../../../features/moderation/reports-desk.tsx'
import { cx } from '../../../ui/cx.ts'
import { SelectInput } from '../../../ui/field.tsx'
import styles from './reports-page.module.css'

const SORTS: readonly { value: CaseSort; label: string }[] = [
  { value: 'reported', label: '通報の多い順' },
  { value: 'oldest', label: '古い順' },
]

/** /admin/reports: posts that visitors reported; with ?show=closed the decided ones. */
export function ReportsPage() {
  const [parameters, setParameters] = useSearchParams()
  const closed = parameters.get('show') === 'closed'
  const sort = SORTS.find(({ value }) => value === parameters.get('sort'))?.value ?? 'reported'
  const [count, setCount] = useState<number | null>(null)
  const sortId = useId()
  const tab = (label: string, isClosed: boolean) => (
    <button
      type="button"
      className={cx(styles['tab'])}
      aria-pressed={closed === isClosed}
      onClick={() => setParameters(isClosed ? { show: 'closed' } : {}, { replace: true })}
    >
      {label}
    </button>
  )
  return (
    <Screen
      title="通報"
      actions={
        <>
          <div className={styles['tabs']} role="group" aria-label="表示">
            {tab(count === null || count === 0 ? '未対応' : `未対応 ${count}`, false)}
            {tab('対応済み', true)}
          </div>
          {!closed && (
            <>
              <label htmlFor={sortId} className="visually-hidden">
                並び順
              </label>
              <SelectInput
                id={sortId}
                className={styles['sort']}
                value={sort}
                onChange={({ currentTarget: { value } }) =>
                  setParameters(value === 'reported' ? {} : { sort: value }, { replace: true })
                }
              >
                {SORTS.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </SelectInput>
            </>
          )}
        </>
      }
    >
      {closed ? (
        <ClosedCases />
      ) : (
        <ReportsDesk
          key={sort}
          sort={sort}
          onCount={setCount}
          renderSummary={({ thread, reports }, onDecided) => (
            <ReportedSummary threadId={thread._id} reports={reports} onDecided={onDecided} />
          )}
        />
      )}
    </Screen>
  )
}
