import { categoryLabel } from '@shinobi/contract/category-labels'
import { inFigures } from '@shinobi/contract/in-figures'
import { may } from '@shinobi/contract/permissions'
import type { Shield } from '@shinobi/contract/shields'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../app/paths.ts'
import { shieldsQuery, useAdminId, useReload } from '../../../features/admin/api.ts'
import { useResults } from '../../../features/admin/results.tsx'
import { Loaded, Screen } from '../../../features/admin/screen.tsx'
import { DateTime } from '../../../lib/date-time.tsx'
import { useMember } from '../../../features/accounts/use-session.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { ShieldDialog } from './shield-dialog.tsx'
import { STEP_NAMES } from '../../../features/shields/step-names.ts'
import styles from './shields-page.module.css'

interface ColumnContext {
  onChange: (shield: Shield) => void
}

const columnsOf = ({ onChange }: ColumnContext): Column<Shield>[] => [
  { label: 'カテゴリ', kind: 'head', cell: ({ category }) => categoryLabel(category) },
  { label: '段階', kind: 'short', cell: ({ step }) => <Step step={step} /> },
  { label: '書き込み／分', kind: 'figure', cell: ({ postsPerMinute }) => inFigures(postsPerMinute) },
  { label: 'スレッド／分', kind: 'figure', cell: ({ threadsPerMinute }) => inFigures(threadsPerMinute) },
  { label: '切り替え', kind: 'short', cell: (shield) => <Reign shield={shield} /> },
  {
    label: '操作',
    kind: 'actions',
    cell: (shield) => (
      <Button size="sm" aria-label={`${categoryLabel(shield.category)}の結界を変える`} onClick={() => onChange(shield)}>
        変える
      </Button>
    ),
  },
]

export function ShieldsPage() {
  const shields = useQuery(shieldsQuery(useAdminId()))
  const reload = useReload('shields')
  const { say, region } = useResults(reload)
  const [changing, setChanging] = useState<Shield | null>(null)

  const columns = columnsOf({ onChange: setChanging })
  return (
    <Screen
      title="結界"
      lead="書き込みが急に増えたとき、カテゴリごとに段階を上げます。読むことは、どの段階でも誰にでもできます。"
    >
      <Loaded query={shields}>
        {({ automatic, shields: rows }) => (
          <>
            {!automatic && <Off />}
            <Table caption="カテゴリごとの結界" columns={columns} rows={rows} keyOf={({ categoryId }) => categoryId} />
            <p className={styles['note']}>数は直近60秒間の試み（断ったものも含む）。5秒ごとに更新します。</p>
          </>
        )}
      </Loaded>
      <ShieldDialog
        shield={changing}
        onClose={() => setChanging(null)}
        onChanged={(text) => {
          setChanging(null)
          say(text)
          void reload()
        }}
      />
      {region}
    </Screen>
  )
}

const Off = () => {
  const mayChange = may(useMember(), 'changeSettings')
  return (
    <div className={styles['off']}>
      <Notice tone="info">
        自動の結界は止まっています。{mayChange && <Link to={paths.admin('settings')}>設定で動かす</Link>}
      </Notice>
    </div>
  )
}

/** The level of a shield, with a block for each step. */
const Step = ({ step }: { step: number }) => (
  <span className={styles['step']} data-step={step}>
    <span className={styles['blocks']} aria-hidden="true">
      {[1, 2, 3, 4].map((block) => (
        <span key={block} className={styles['block']} data-on={block <= step} />
      ))}
    </span>
    {STEP_NAMES[step]}
  </span>
)

const Reign = ({ shield: { step, manual, until, since } }: { shield: Shield }) => {
  if (!manual)
    return step === 0 || since === null ? (
      '自動'
    ) : (
      <>
        自動（
        <DateTime value={since} />
        から）
      </>
    )
  return until === null ? (
    '手動（変えるまで）'
  ) : (
    <>
      手動（
      <DateTime value={until} />
      まで）
    </>
  )
}
