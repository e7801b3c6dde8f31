import { inFigures } from '@shinobi/contract/in-figures'
import { POST } from '@shinobi/contract/limits'
import type { Post } from '@shinobi/contract/posts'
import { countGraphemes } from '@shinobi/contract/text'
import { useEffect, useId, useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react'
import { useImagePicker } from '../images/image-picker.tsx'
import { useDisplay } from '../display/settings.ts'
import { onReplyKey } from '../display/reply-key.ts'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { TextArea } from '../../ui/field.tsx'
import { SendIcon } from '../../ui/icons.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Seal } from '../../ui/seal.tsx'
import { ComposerImage, ImageButton } from './composer-image.tsx'
import { ComposerOutcome, useComposerOutcome } from './composer-outcome.tsx'
import styles from './composer.module.css'
import type { ThreadLive } from './live.ts'
import type { WriterName } from './nickname.ts'
import { useThreadActions } from './thread-context.ts'
import { useHeldOpen } from './use-held-open.ts'
import { useSending } from './use-sending.ts'

/** The counter appears only near the limit. */
const COUNT_FROM = POST.max - 400

export interface ComposerHandle {
  /** Inserts >>n at the caret, on its own line. */
  readonly quote: (number: number) => void
  /** Puts a text after what is there, and an image in place of the chosen one. */
  readonly write: (text: string, image?: File | null) => void
  readonly focus: () => void
  readonly hasText: () => boolean
  /** Sends the text, as the button does. */
  readonly submit: () => void
  /** Shows an error for ERROR_NOTICE_MS; the same message is not shown twice at once. */
  readonly warn: (message: string) => void
}

interface ComposerProps {
  ref: Ref<ComposerHandle>
  threadId: string
  threadTitle: string
  live: ThreadLive
  writer: WriterName | null
  /** Posts with the staff seal. */
  asStaff: boolean
  /** Does not lift the thread. */
  sage: boolean
  /**
   * Why posting is paused; null while the board accepts posts. Text can still be typed and is kept.
   */
  paused: string | null
  /** The name under which the visitor writes. */
  who: ReactNode
  /** The state of the connection, and the links for moving through the thread. */
  aside: ReactNode
  /** Called when the visitor tries to send before choosing a name. */
  onNameless: () => void
  onPosted: (post: Post) => void
}

/**
 * One line until it is used, then three rows that grow to eight (four where the viewport is low).
 * Enter sends, or Ctrl+Enter where the visitor chose that; on touch keyboards only the button does.
 */
export function Composer({
  ref,
  threadId,
  threadTitle,
  live,
  writer,
  asStaff,
  sage,
  paused,
  who,
  aside,
  onNameless,
  onPosted,
}: ComposerProps) {
  const { newest, findPost } = useThreadActions()
  const outcome = useComposerOutcome()
  const { show, wait } = outcome
  const picker = useImagePicker()
  const form = useRef<HTMLFormElement>(null)
  const row = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const tools = useRef<HTMLDivElement>(null)
  useHeldOpen({ row, field, tools })
  const pausedId = useId()
  const hintId = useId()
  const { restored, content, setContent, append, pending, proving, progress, send } = useSending({
    form,
    threadId,
    threadTitle,
    live,
    writer,
    asStaff,
    sage,
    image: picker.file,
    hasImage: picker.file !== null || picker.working,
    onTaken(sent) {
      outcome.settle()
      picker.settle(sent)
    },
    onPosted(post) {
      setJustPosted(true)
      onPosted(post)
    },
    onHeld(message) {
      show(message, 'success')
    },
    onWaiting(message) {
      setJustPosted(true)
      // The post says so itself, after the newest one.
      if (findPost(newest.get()) === undefined) show(message, 'info')
    },
    onNameless,
    onProblem: outcome.fail,
  })
  const [justPosted, setJustPosted] = useState(false)
  useEffect(() => {
    if (!justPosted || pending) return
    setJustPosted(false)
    // Closes a phone's keyboard, so that the post can be seen, unless the writer has typed on.
    if (content === '' && matchMedia('(pointer: coarse)').matches) field.current?.blur()
  }, [justPosted, pending, content])
  const busy = pending || picker.working
  const submit = () => {
    if (!picker.working && wait === 0 && paused === null) void send()
  }
  const sendWith = useDisplay('send')
  const enter = useImeSafeEnter({ onEnter: () => form.current?.requestSubmit(), multiline: true, sendWith })
  const length = content.length < COUNT_FROM / 2 ? 0 : countGraphemes(content)

  useEffect(() => {
    if (picker.error !== null) show(picker.error.text)
  }, [picker.error, show])

  useEffect(
    () =>
      onReplyKey((number) => {
        if (field.current === null) return
        if (number === null) field.current.focus()
        else quoteInto(field.current, number)
      }),
    [],
  )

  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    hasText: () => field.current?.value !== '',
    submit,
    write(text, image) {
      picker.choose(image)
      append(text)
      field.current?.focus()
    },
    warn: show,
    quote(number) {
      if (field.current !== null) quoteInto(field.current, number)
    },
  }))

  return (
    <form
      ref={form}
      method="post"
      className={cx(styles['composer'], picker.dragging && styles['dragging'])}
      aria-label="書き込む"
      onSubmit={(event) => {
        if (!restored) return
        event.preventDefault()
        submit()
      }}
      {...picker.dropHandlers}
    >
      <ComposerOutcome outcome={outcome} proving={proving} />
      {paused !== null && (
        <p className={styles['paused']} id={pausedId}>
          <Seal tone="gold">閲覧のみ</Seal>
          <span>{paused}</span>
        </p>
      )}
      <ComposerImage picker={picker} disabled={pending} />
      <div ref={row} className={styles['row']} data-image={picker.previewUrl !== null || undefined}>
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
          aria-describedby={paused === null ? hintId : pausedId}
          aria-invalid={length > POST.max || undefined}
          placeholder="ここに書き込む"
          onChange={(event) => setContent(event.currentTarget.value)}
          onPaste={picker.onPaste}
          enterKeyHint="enter"
        />
        <div ref={tools} className={styles['tools']}>
          <ImageButton picker={picker} disabled={pending || paused !== null} />
          <Button
            variant="primary"
            type="submit"
            busy={busy}
            className={styles['send']}
            disabled={paused !== null}
            aria-label={wait > 0 ? `送信（あと${wait}秒）` : '送信'}
            aria-disabled={wait > 0}
          >
            {wait > 0 ? <span className={styles['wait']}>{wait}</span> : !busy && <SendIcon />}
          </Button>
        </div>
        {aside}
      </div>
      <p id={hintId} className={styles['hint']}>
        {sendWith === 'enter' ? 'Enterで送信、Shift+Enterで改行' : 'Ctrl+Enterで送信、Enterで改行'}
      </p>
      {progress !== null && <ProgressBar value={progress} label="送信中" />}
      {length > COUNT_FROM && <Counter length={length} />}
    </form>
  )
}

function Counter({ length }: { length: number }) {
  return (
    <p className={cx(styles['counter'], length > POST.max && styles['over'])}>
      {inFigures(length)} / {inFigures(POST.max)}
    </p>
  )
}

/** Inserts >>n at the caret, on a line of its own; the next key writes after it. */
function quoteInto(area: HTMLTextAreaElement, number: number): void {
  const { value, selectionStart: at } = area
  const startsLine = at === 0 || value[at - 1] === '\n'
  area.focus()
  area.setRangeText(`${startsLine ? '' : '\n'}>>${number}\n`, at, at, 'end')
  area.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
