import { TRACE_HOURS_MAX } from '@shinobi/contract/limits'
import { MODERATION_REASON } from '@shinobi/contract/staff-limits'
import { messages } from '@shinobi/contract/messages'
import { countGraphemes, findProblem } from '@shinobi/contract/text'
import { useState } from 'react'
import { ActionForm } from '../../../features/admin/action-form.tsx'
import { startTracing, useReload } from '../../../features/admin/api.ts'
import { LineField } from '../../../ui/line-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'

/** In hours. */
const SPANS = [
  { value: 24, label: '24時間' },
  { value: 72, label: '3日' },
  { value: 168, label: '7日' },
  { value: TRACE_HOURS_MAX, label: `${TRACE_HOURS_MAX / 24}日` },
]

/** Article 3 of the terms requires a reason and an end. */
export function StartTracing({ threadId, onStarted }: { threadId: string; onStarted: () => void }) {
  const reload = useReload('tracing')
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState(24)
  const [tried, setTried] = useState(false)
  const problem = findProblem(reason.trim(), MODERATION_REASON, 'line')
  const missing = reason.trim() === '' ? messages.reason_required : messages.reason_too_long
  return (
    <ActionForm
      label="一時記録を始める"
      variant="danger"
      onSubmit={async () => {
        setTried(true)
        if (problem !== null) return
        await startTracing(threadId, reason.trim(), hours)
        await reload()
        onStarted()
      }}
    >
      <p>
        これから書き込む人のIPアドレスとブラウザを、暗号にして記録します。期限が来ると消えます。読むたびに、誰がなぜ読んだかが残ります。
      </p>
      <LineField
        label="理由"
        required
        error={problem !== null && tried ? missing : null}
        counter={{ length: countGraphemes(reason.trim()), max: MODERATION_REASON.max }}
        value={reason}
        onChange={setReason}
      />
      <SelectField label="期限" options={SPANS} value={hours} onChange={setHours} />
    </ActionForm>
  )
}
