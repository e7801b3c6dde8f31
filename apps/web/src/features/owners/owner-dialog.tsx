import { findComplaint } from '@shinobi/contract/complaints'
import { messages } from '@shinobi/contract/messages'
import { OWNER_NOTE, OWNER_NOTES_MAX, OWNER_REASON } from '@shinobi/contract/owner-limits'
import { ownerNoteWords, ownerReasonWords } from '@shinobi/contract/owner-words'
import type { OwnerTask } from '@shinobi/contract/owners'
import type { Post } from '@shinobi/contract/posts'
import { countGraphemes } from '@shinobi/contract/text'
import type { Thread } from '@shinobi/contract/threads'
import { useState, type ReactNode } from 'react'
import { tokyoDay } from '../../lib/format-date.ts'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { useRequest } from '../../lib/use-request.ts'
import { Button } from '../../ui/button.tsx'
import { OneOf } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { LineField } from '../../ui/line-field.tsx'
import { FormProblem } from '../../ui/notice.tsx'
import { PostExcerpt } from '../reports/post-excerpt.tsx'
import { actAsOwner } from './api.ts'
import styles from './owner-dialog.module.css'

export interface OwnerDialogProps {
  thread: Thread
  /** Null: about the thread itself. */
  post: Post | null
  open: boolean
  onClose: () => void
  /** Receives what to say. */
  onDone: (words: string) => void
}

type Kind = OwnerTask['kind']

interface Choice {
  value: Kind
  label: string
  hint: ReactNode
  disabled: boolean
}

const SUBMIT: Readonly<Record<Kind, { label: string; done: string }>> = {
  note: { label: '追記する', done: '追記しました。' },
  fold: { label: '折りたたむ', done: '折りたたみました。' },
  silence: { label: '今日は止める', done: 'このIDの書き込みを、今日の終わりまで止めました。' },
  close: { label: 'スレッドを閉じる', done: 'スレッドを閉じました。' },
}

/** What the opener of a thread may do with it, or with one of its posts. All rules are shown. */
export function OwnerDialog({ open, ...rest }: OwnerDialogProps) {
  const { post, onClose } = rest
  return (
    <Dialog open={open} onClose={onClose} title={post === null ? 'スレ主の操作' : `スレ主の操作：${post.number}`}>
      <OwnerForm {...rest} />
    </Dialog>
  )
}

function OwnerForm({ thread, post, onClose, onDone }: Omit<OwnerDialogProps, 'open'>) {
  const choices = post === null ? choicesForThread(thread) : choicesForPost(thread, post)
  const [kind, setKind] = useState<Kind | null>(() => choices.find(({ disabled }) => !disabled)?.value ?? null)
  const [texts, setTexts] = useState<Partial<Record<Kind, string>>>({})
  const [hasTried, setHasTried] = useState(false)
  const { busy, problem, send } = useRequest()
  const typed = kind === null ? '' : (texts[kind] ?? '')
  const text = typed.trim()
  const isNote = kind === 'note'
  const complaint = isNote
    ? findComplaint(text, OWNER_NOTE, 'body', ownerNoteWords)
    : findComplaint(text, OWNER_REASON, 'line', ownerReasonWords)
  const submit = () => {
    setHasTried(true)
    const task = kind === null ? null : taskOf(kind, post, text)
    if (task === null || complaint !== null) return
    void send(async () => {
      await actAsOwner(thread._id, task)
      onDone(SUBMIT[task.kind].done)
    })
  }
  const enter = useImeSafeEnter({ onEnter: submit, multiline: true, sendWith: 'mod' })
  const write = (value: string) => kind !== null && setTexts({ ...texts, [kind]: value })
  const field = {
    required: true,
    error: hasTried ? complaint : null,
    counter: { length: countGraphemes(text), max: isNote ? OWNER_NOTE.max : OWNER_REASON.max },
  }
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {post !== null && <PostExcerpt post={post} />}
      <OneOf<Kind | ''>
        legend="すること"
        name="owner-task"
        options={choices}
        value={kind ?? ''}
        onChange={(value) => {
          setKind(value === '' ? null : value)
          setHasTried(false)
        }}
      />
      {isNote && (
        <Field label="追記" {...field}>
          {(props) => (
            <TextArea
              {...props}
              {...enter}
              rows={3}
              value={typed}
              onChange={(event) => write(event.currentTarget.value)}
              enterKeyHint="enter"
            />
          )}
        </Field>
      )}
      {kind !== null && !isNote && (
        <LineField label="理由" hint="誰でも読めます。" {...field} value={typed} onChange={write} />
      )}
      <p className={styles['rules']}>
        操作はすべて「スレ主の記録」に残り、誰でも読めます。運営が取り消すことがあり、そのあとはやり直せません。
      </p>
      <div className={styles['buttons']}>
        <Button onClick={onClose}>キャンセル</Button>
        {kind !== null && (
          <Button variant={kind === 'close' ? 'danger' : 'primary'} type="submit" busy={busy}>
            {SUBMIT[kind].label}
          </Button>
        )}
      </div>
      {problem !== null && <FormProblem>{problem}</FormProblem>}
    </form>
  )
}

function choicesForThread({ ownerActions, closedAt }: Thread): Choice[] {
  const left = OWNER_NOTES_MAX - ownerActions.filter(({ kind }) => kind === 'note').length
  return [
    {
      value: 'note',
      label: '追記する',
      hint: left > 0 ? `最初の書き込みの下に、日時を付けて載せます。あと${left}件です。` : messages.owner_notes_full,
      disabled: left <= 0,
    },
    {
      value: 'close',
      label: 'スレッドを閉じる',
      hint: '誰も書き込めなくなります。開け直せるのは運営だけです。',
      disabled: closedAt !== null,
    },
  ]
}

function choicesForPost({ ownerActions, closedAt }: Thread, post: Post): Choice[] {
  const isSilenced = ownerActions.some(
    ({ kind, posterId, undone }) => kind === 'silence' && undone === null && posterId === post.posterId,
  )
  const objection = isSilenced ? messages.owner_silenced : objectionToSilence(post)
  return [
    {
      value: 'fold',
      label: '折りたたむ',
      hint: objectionToFold(post) ?? '理由を添えて折りたたみます。誰でも開いて読めます。',
      disabled: objectionToFold(post) !== null,
    },
    {
      value: 'silence',
      label: 'このIDを今日は止める',
      hint:
        objection ??
        '今日の24時（日本時間）まで、このIDはこのスレッドに書き込めません。初めて書き込む人は近くの回線の人と同じIDになるため、ほかの人も止まることがあります。',
      disabled: objection !== null || closedAt !== null,
    },
  ]
}

function objectionToFold({ folded, staff }: Post): string | null {
  if (staff === true) return messages.owner_staff_post
  return folded ? messages.owner_folded : null
}

function objectionToSilence({ posterId, createdAt }: Post): string | null {
  if (posterId === undefined) return messages.owner_no_id
  return tokyoDay(Date.parse(createdAt)) === tokyoDay(Date.now()) ? null : messages.owner_old_id
}

function taskOf(kind: Kind, post: Post | null, text: string): OwnerTask | null {
  if (kind === 'note' || kind === 'close') return { kind, text }
  return post === null ? null : { kind, postId: post._id, text }
}
