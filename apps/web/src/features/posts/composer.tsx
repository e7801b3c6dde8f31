import { POST } from '@shinobi/contract/limits'
import type { Post } from '@shinobi/contract/posts'
import { countGraphemes } from '@shinobi/contract/text'
import { useEffect, useId, useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react'
import { useImagePicker } from '../../lib/image-picker.tsx'
import { useCountdown } from '../../lib/use-countdown.ts'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { TextArea } from '../../ui/field.tsx'
import { SendIcon } from '../../ui/icons.tsx'
import { Notice, useTimedNotice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Seal } from '../../ui/seal.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { ComposerImage, ImageButton } from './composer-image.tsx'
import styles from './composer.module.css'
import type { ThreadLive } from './live.ts'
import { useSending } from './use-sending.ts'
import { inFigures } from '../../lib/in-figures.ts'

/** The counter appears when the end comes near; before, it would only be noise. */
const COUNT_FROM = POST.max - 400

export interface ComposerHandle {
  /** Puts >>n where the caret is, on a line of its own. */
  readonly quote: (number: number) => void
  readonly focus: () => void
  /** Sends what is typed, as the button does. */
  readonly submit: () => void
  /** Says what went wrong for ERROR_NOTICE_MS; the same words are not said twice at once. */
  readonly warn: (message: string) => void
}

interface ComposerProps {
  ref: Ref<ComposerHandle>
  threadId: string
  live: ThreadLive
  name: string | null
  /** Under the seal of those who run the board. */
  asStaff: boolean
  /**
   * Why nobody can write now; null while the board takes posts. The text can still be typed and is
   * kept.
   */
  paused: string | null
  /** Who is writing. */
  who: ReactNode
  /** The state of the connection, and the ways through the thread. */
  aside: ReactNode
  /** Something was to be sent before a name was chosen. */
  onNameless: () => void
  onPosted: (post: Post) => void
}

/**
 * One line until it is used, then three rows that grow to eight (four where the view is low); Enter sends, on touch keyboards the
 * button does.
 */
export function Composer({
  ref,
  threadId,
  live,
  name,
  asStaff,
  paused,
  who,
  aside,
  onNameless,
  onPosted,
}: ComposerProps) {
  const { notice, show, clear } = useTimedNotice()
  const picker = useImagePicker()
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  /** A ban with its reason and end has to be read: it stays until it is closed, or a post goes through. */
  const [lasting, setLasting] = useState<string | null>(null)
  const wait = useCountdown()
  const pausedId = useId()
  const settle = () => {
    clear()
    setLasting(null)
    picker.remove()
  }
  const { content, type, pending, proving, progress, send } = useSending({
    form,
    threadId,
    live,
    name,
    asStaff,
    image: picker.file,
    onPosted(post) {
      settle()
      setJustPosted(true)
      onPosted(post)
    },
    onHeld(message) {
      settle()
      show(message, 'success')
    },
    onNameless,
    onProblem(problem) {
      setLasting(problem.lasting ? problem.message : null)
      if (problem.lasting) clear()
      else show(problem.message)
      if (problem.retryAfter !== null) wait.start(problem.retryAfter)
    },
  })
  const [justPosted, setJustPosted] = useState(false)
  useEffect(() => {
    if (!justPosted || pending) return
    setJustPosted(false)
    // The keyboard of a phone goes, so that the post can be seen; whoever has typed on goes on.
    if (content === '' && matchMedia('(pointer: coarse)').matches) field.current?.blur()
  }, [justPosted, pending, content])
  const busy = pending || picker.working
  const submit = () => {
    if (!picker.working && wait.left === 0 && paused === null) void send()
  }
  const enter = useImeSafeEnter({ onEnter: submit, multiline: true })
  const length = content.length < COUNT_FROM / 2 ? 0 : countGraphemes(content)

  useEffect(() => {
    if (picker.error !== null) show(picker.error)
  }, [picker.error, show])

  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    submit,
    warn: show,
    quote(number) {
      const area = field.current
      if (area === null) return
      const at = area.selectionStart
      const before = content.slice(0, at)
      const inserted = `${before === '' || before.endsWith('\n') ? '' : '\n'}>>${number}\n`
      type(before + inserted + content.slice(at))
      area.focus()
      const caret = at + inserted.length
      requestAnimationFrame(() => area.setSelectionRange(caret, caret))
    },
  }))

  return (
    <form
      ref={form}
      method="post"
      className={cx(styles['composer'], picker.dragging && styles['dragging'])}
      aria-label="書き込む"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      {...picker.dropHandlers}
    >
      <div className={styles['notice']}>
        {proving && (
          <p className={styles['proving']} role="status">
            <Spinner size="sm" />
            書き込みの前に自動の確認をしています…
          </p>
        )}
        {lasting !== null && (
          <Notice tone="error" onClose={() => setLasting(null)}>
            {lasting}
          </Notice>
        )}
        {notice !== null && !proving && (
          <Notice key={notice.text} tone={notice.tone}>
            {notice.text}
          </Notice>
        )}
      </div>
      {paused !== null && (
        <p className={styles['paused']} id={pausedId}>
          <Seal tone="gold">閲覧のみ</Seal>
          <span>{paused}</span>
        </p>
      )}
      <ComposerImage picker={picker} disabled={pending} />
      <div className={styles['row']} data-image={picker.previewUrl !== null || undefined}>
        <div className={styles['who']}>{who}</div>
        <TextArea
          ref={field}
          {...enter}
          className={styles['field']}
          name="content"
          rows={3}
          maxRows={8}
          value={content}
          aria-label="書き込みの内容"
          aria-describedby={paused === null ? undefined : pausedId}
          aria-invalid={length > POST.max || undefined}
          placeholder="ここに書き込む"
          onChange={(event) => type(event.currentTarget.value)}
          onPaste={picker.onPaste}
          enterKeyHint="enter"
        />
        <div className={styles['tools']}>
          <ImageButton picker={picker} disabled={pending || paused !== null} />
          <Button
            variant="primary"
            type="submit"
            busy={busy}
            className={styles['send']}
            disabled={paused !== null}
            aria-label={wait.left > 0 ? `送信（あと${wait.left}秒）` : '送信'}
            aria-disabled={wait.left > 0}
          >
            {wait.left > 0 ? <span className={styles['wait']}>{wait.left}</span> : !busy && <SendIcon />}
          </Button>
        </div>
        {aside}
      </div>
      {progress !== null && <ProgressBar value={progress} label="送信中" />}
      {length > COUNT_FROM && (
        <p className={cx(styles['counter'], length > POST.max && styles['over'])}>
          {inFigures(length)} / {inFigures(POST.max)}
        </p>
      )}
    </form>
  )
}
