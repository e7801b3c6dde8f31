import { MODERATION_REASON } from '@shinobi/contract/staff-limits'
import { messages } from '@shinobi/contract/messages'
import type { TraceOrder } from '@shinobi/contract/moderation'
import { countGraphemes, findProblem } from '@shinobi/contract/text'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../app/paths.ts'
import { ActionForm } from '../../../features/admin/action-form.tsx'
import { readTraces, type Trace } from '../../../features/admin/api.ts'
import { useLast } from '../../../features/admin/use-last.ts'
import { DateTime } from '../../../lib/date-time.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LineField } from '../../../ui/line-field.tsx'
import styles from './read-dialog.module.css'

interface ReadDialogProps {
  /** The order to read; null closes the dialog and discards the data. */
  order: TraceOrder | null
  onClose: () => void
}

export function ReadDialog({ order, onClose }: ReadDialogProps) {
  const last = useLast(order)
  return (
    <Dialog open={order !== null} onClose={onClose} title="記録を読む">
      {last && <Reading order={last} onClose={onClose} />}
    </Dialog>
  )
}

function Reading({ order: { threadId, title }, onClose }: { order: TraceOrder; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const [traces, setTraces] = useState<readonly Trace[] | null>(null)
  const problem = findProblem(reason.trim(), MODERATION_REASON, 'line')
  if (traces !== null) return <Traces threadId={threadId} traces={traces} />
  return (
    <ActionForm
      label="読む"
      onCancel={onClose}
      onSubmit={async () => {
        setTried(true)
        if (problem === null) setTraces(await readTraces(threadId, reason.trim()))
      }}
    >
      <p>「{title}」の記録を読みます。誰が、いつ、なぜ読んだかが操作の記録に残ります。</p>
      <LineField
        label="読む理由"
        required
        error={
          problem !== null && tried
            ? reason.trim() === ''
              ? messages.reason_required
              : messages.reason_too_long
            : null
        }
        counter={{ length: countGraphemes(reason.trim()), max: MODERATION_REASON.max }}
        value={reason}
        onChange={setReason}
      />
    </ActionForm>
  )
}

const Traces = ({ threadId, traces }: { threadId: string; traces: readonly Trace[] }) => (
  <div aria-live="polite">
    {traces.length === 0 ? (
      <p>まだ何も記録されていません。</p>
    ) : (
      <ul className={styles['traces']}>
        {traces.map(({ postId, number, at, address, agent }) => (
          <li key={postId} className={styles['trace']}>
            <p>
              <Link to={`${paths.thread(threadId)}#${number}`}>{number}</Link>{' '}
              <code className={styles['address']}>{address}</code> <DateTime value={at} className="meta" />
            </p>
            <p className={styles['agent']}>{agent}</p>
          </li>
        ))}
      </ul>
    )}
  </div>
)
