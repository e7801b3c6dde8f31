import { findComplaint, reportReasonWords } from '@shinobi/contract/complaints'
import { REPORT_NOTICE_MS, REPORT_REASON } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { countGraphemes } from '@shinobi/contract/text'
import { useRef, useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { Button } from '../../ui/button.tsx'
import { OneOf } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { FlagIcon } from '../../ui/icons.tsx'
import { Notice, useTimedNotice } from '../../ui/notice.tsx'
import { reportPost } from './api.ts'
import { PostExcerpt } from './post-excerpt.tsx'
import { choiceOf, REPORT_CHOICES, withChoice } from './report-choices.ts'
import styles from './report-dialog.module.css'

export interface ReportDialogProps {
  post: Post
  /** Start of the reason; it is no reason by itself. */
  begun: string
  /** The part of the post that it is about; undefined for all of it. */
  part: string | undefined
  open: boolean
  onClose: () => void
  /** Receives the server's message. */
  onReported: (message: string) => void
}

/**
 * Reports a post to the moderators. A closed dialog keeps the text that was typed about the post,
 * or about this part of it.
 */
export function ReportDialog({ post, begun, part, open, onClose, onReported }: ReportDialogProps) {
  const [reasons, setReasons] = useState<ReadonlyMap<string, string>>(new Map())
  const subject = `${post._id} ${part ?? ''}`
  const write = (reason: string) => setReasons((known) => new Map(known).set(subject, reason))
  const forget = () => setReasons((known) => new Map([...known].filter(([about]) => about !== subject)))
  return (
    <Dialog open={open} onClose={onClose} title="この書き込みを通報">
      <ReportForm
        key={subject}
        post={post}
        begun={begun}
        reason={reasons.get(subject) ?? begun}
        onType={write}
        onClose={onClose}
        onReported={(message) => {
          forget()
          onReported(message)
        }}
      />
    </Dialog>
  )
}

interface ReportFormProps extends Omit<ReportDialogProps, 'open' | 'part'> {
  reason: string
  onType: (reason: string) => void
}

function ReportForm({ post, begun, reason, onType, onClose, onReported }: ReportFormProps) {
  const [busy, setBusy] = useState(false)
  const [hasTried, setHasTried] = useState(false)
  const { notice, show, clear } = useTimedNotice(REPORT_NOTICE_MS)
  /** State is updated one render late; two presses within one frame must create one report. */
  const locked = useRef(false)
  const trimmed = reason.trim()
  /** Without the predefined start, which alone is no reason. */
  const said = begun !== '' && trimmed.startsWith(begun.trim()) ? trimmed.slice(begun.trim().length).trim() : trimmed
  const complain = (text: string) => findComplaint(text, REPORT_REASON, 'body', reportReasonWords)
  const problem = complain(trimmed) ?? complain(said)
  // That it is too short is shown only after an attempt to send: until then the button is disabled.
  const isSaid = problem !== messages.report_reason_short || hasTried
  const send = async () => {
    if (locked.current) return
    setHasTried(true)
    if (problem !== null) return
    locked.current = true
    setBusy(true)
    clear()
    try {
      onReported(await reportPost(post, trimmed))
    } catch (error) {
      const answered = error instanceof ApiError && error.fromServer
      show(answered ? messages.report_failed(error.reason) : messages.report_exception)
    } finally {
      locked.current = false
      setBusy(false)
    }
  }
  const enter = useImeSafeEnter({ onEnter: () => void send(), multiline: true, sendWith: 'mod' })
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <PostExcerpt post={post} />
      {/* A predefined start already gives the reason, so no choices are shown. */}
      {begun === '' && <ReasonChoices reason={reason} onType={onType} />}
      <Field
        label="通報の理由"
        required
        hint={`${REPORT_REASON.min}文字以上で書いてください。${begun === '' ? '選んだ理由に書き足せます。' : ''}`}
        error={isSaid ? problem : null}
        counter={{
          length: countGraphemes(said),
          max: REPORT_REASON.max - countGraphemes(trimmed) + countGraphemes(said),
        }}
      >
        {(field) => (
          <TextArea
            {...field}
            {...enter}
            rows={2}
            value={reason}
            onChange={(event) => onType(event.currentTarget.value)}
            onFocus={({ currentTarget: field }) => {
              if (reason === begun) field.setSelectionRange(begun.length, begun.length)
            }}
            enterKeyHint="enter"
          />
        )}
      </Field>
      <div className={styles['buttons']}>
        {notice !== null && (
          <div className={styles['notice']}>
            <Notice key={notice.text} tone={notice.tone}>
              {notice.text}
            </Notice>
          </div>
        )}
        <Button onClick={onClose}>キャンセル</Button>
        <Button variant="primary" type="submit" busy={busy} disabled={problem !== null} icon={<FlagIcon size={18} />}>
          通報する
        </Button>
      </div>
    </form>
  )
}

const OTHER = 'other'
const OPTIONS = [
  ...REPORT_CHOICES.map((choice) => ({ value: choice as string, label: choice as string })),
  { value: OTHER, label: 'その他（理由を書く）' },
]

/** A press fills in the reason; free text is その他. */
function ReasonChoices({ reason, onType }: Pick<ReportFormProps, 'reason' | 'onType'>) {
  const [isOther, setIsOther] = useState(false)
  const chosen = choiceOf(reason) ?? (isOther || reason.trim() !== '' ? OTHER : '')
  return (
    <OneOf
      legend="あてはまるもの"
      name="report-choice"
      layout="columns"
      options={OPTIONS}
      value={chosen}
      onChange={(value) => {
        setIsOther(value === OTHER)
        onType(withChoice(reason, value === OTHER ? null : value))
      }}
    />
  )
}
