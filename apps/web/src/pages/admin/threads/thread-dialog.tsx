import type { AdminThread } from '@shinobi/contract/admin'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { MODERATION_NOTE } from '@shinobi/contract/staff-limits'
import { may } from '@shinobi/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionForm } from '../../../features/admin/action-form.tsx'
import { categoriesQuery, changeThread, useAdminId, useReload, type ThreadChange } from '../../../features/admin/api.ts'
import { OneOf } from '../../../ui/choices.tsx'
import { useLast } from '../../../features/admin/use-last.ts'
import { useMember } from '../../../features/accounts/use-session.ts'
import { NoteField, noteLength } from '../../../features/moderation/rule-fields.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { pinsFor, type Pin } from './pins.ts'
import { StartTracing } from './start-tracing.tsx'
import styles from './thread-dialog.module.css'

interface ThreadDialogProps {
  /** The thread to change; null closes the dialog. */
  thread: AdminThread | null
  onClose: () => void
  onDone: (text: string, actionId: string | null) => void
}

/** Locks, pins and moves a thread; administrators can also start temporary logging here. */
export function ThreadDialog({ thread, onClose, onDone }: ThreadDialogProps) {
  const last = useLast(thread)
  const mayLog = may(useMember(), 'orderIpLogging')
  return (
    <Dialog open={thread !== null} onClose={onClose} title="スレッドの変更">
      {last && (
        <>
          <p className={styles['title']}>{last.title}</p>
          <ThreadForm key={last._id} thread={last} onClose={onClose} onDone={onDone} />
          {mayLog && (
            <details className={styles['tracing']}>
              <summary className={styles['summary']}>一時記録（管理者）</summary>
              <StartTracing threadId={last._id} onStarted={() => onDone('一時記録を始めました。', null)} />
            </details>
          )}
        </>
      )}
    </Dialog>
  )
}

function ThreadForm({ thread, onClose, onDone }: ThreadDialogProps & { thread: AdminThread }) {
  const categories = useQuery(categoriesQuery(useAdminId())).data ?? []
  const reload = useReload('threads')
  const home = thread.categoryId?._id ?? ''
  const [locked, setLocked] = useState(thread.locked)
  const [pin, setPin] = useState<Pin>(thread.pinned ?? 'none')
  const [categoryId, setCategoryId] = useState(home)
  const [reason, setReason] = useState('')
  const pins = pinsFor(thread.pinned, may(useMember(), 'pinToBoard'))
  const pinned = pin === 'none' ? null : pin
  /** With the changes of an attempt that failed later on. */
  const [stored, setStored] = useState({ locked: thread.locked, pinned: thread.pinned, categoryId: home })
  // Unchanged fields are not sent, so that two moderators do not undo each other's changes. The
  // move comes last: a moderator may not be allowed to change the thread in its new category.
  const changes: ThreadChange[] = [
    ...(locked === stored.locked ? [] : [{ locked }]),
    ...(pinned === stored.pinned ? [] : [{ pinned }]),
    ...(categoryId === stored.categoryId ? [] : [{ categoryId }]),
  ]
  const submit = async () => {
    const actions: string[] = []
    try {
      for (const change of changes) {
        actions.push((await changeThread(thread._id, change, reason)).actionId)
        setStored((before) => ({ ...before, ...change }))
      }
    } finally {
      // Some changes may have succeeded before a failure.
      await reload()
    }
    // Several changes have no common undo; each can be undone in the log.
    onDone('スレッドを変更しました。', actions.length === 1 ? actions[0]! : null)
  }
  return (
    <ActionForm
      label="変更する"
      disabled={changes.length === 0 || noteLength(reason) > MODERATION_NOTE.max}
      onCancel={onClose}
      onSubmit={submit}
    >
      <OneOf
        legend="書き込み"
        name="locked"
        options={[
          { value: 'open', label: '受け付ける' },
          { value: 'locked', label: 'ロックする（書き込み停止）', hint: '読めますが、誰も書き込めません。' },
        ]}
        value={locked ? 'locked' : 'open'}
        onChange={(value) => setLocked(value === 'locked')}
      />
      {pins.length > 0 && <OneOf legend="固定" name="pinned" options={pins} value={pin} onChange={setPin} />}
      <SelectField
        label="カテゴリ"
        options={categories.map(({ _id, name }) => ({ value: _id, label: categoryLabel(name) }))}
        value={categoryId}
        onChange={setCategoryId}
      />
      <NoteField value={reason} onChange={setReason} />
    </ActionForm>
  )
}
