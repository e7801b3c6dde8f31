import { NICKNAME, POST, TITLE } from '@shinobi/contract/limits'
import { countGraphemes } from '@shinobi/contract/text'
import { splitName } from '@shinobi/contract/trip'
import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useEarlySubmit } from '../../lib/early-form.ts'
import { ImagePicker, useImagePicker } from '../images/image-picker.tsx'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { useSession } from '../accounts/use-session.ts'
import { Proving } from '../shields/proving.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, SelectInput, TextArea, TextInput } from '../../ui/field.tsx'
import { SendIcon } from '../../ui/icons.tsx'
import { NeedsScript } from '../../ui/needs-script.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Switch } from '../../ui/switch.tsx'
import styles from './create-thread-form.module.css'
import { useCreateThread, type Continued, type OnOpened } from './use-create-thread.ts'

interface CreateThreadFormProps {
  categories: readonly { value: string; label: string }[]
  /** Selected until the visitor selects another. */
  proposed: string
  /** The thread that the new one continues; null for none. */
  continued: Continued | null
  /** Why posting is paused; null while the board accepts threads. Typed text is kept. */
  paused: string | null
  /** Whether the visitor may open a thread of a category with the staff seal. */
  mayWriteAsStaff: (category: string) => boolean
  onOpened: OnOpened
}

export function CreateThreadForm({
  categories,
  proposed: proposedCategory,
  continued,
  paused,
  mayWriteAsStaff,
  onOpened,
}: CreateThreadFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const content = useRef<HTMLTextAreaElement>(null)
  const thread = useCreateThread({ proposedCategory, continued, form, onOpened })
  const { draft, problems, sending } = thread
  const [wantsSeal, setWantsSeal] = useState(false)
  const maySeal = mayWriteAsStaff(thread.category)
  const picker = useImagePicker({ disabled: sending })
  useEarlySubmit(form, thread.restored)

  const submit = (event: FormEvent) => {
    // Too early: useEarlySubmit submits it again.
    if (!thread.restored) return
    event.preventDefault()
    if (picker.working || paused !== null) return
    const wrong = thread.send(picker.file, maySeal && wantsSeal)
    if (wrong !== null) form.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus()
  }

  const titleEnter = useImeSafeEnter({ onEnter: () => content.current?.focus() })
  const contentEnter = useImeSafeEnter({
    multiline: true,
    sendWith: 'mod',
    onEnter: () => form.current?.requestSubmit(),
  })

  return (
    <form
      ref={form}
      className={styles['form']}
      method="post"
      noValidate
      onSubmit={submit}
      onPaste={picker.onPaste}
      {...picker.dropHandlers}
    >
      <NeedsScript>スレッドを立てるにはJavaScriptが必要です。</NeedsScript>
      <Field
        label={`タイトル（${TITLE.min}〜${TITLE.max}文字）`}
        error={problems.title}
        counter={{ length: countGraphemes(draft.title.trim()), max: TITLE.max }}
        required
      >
        {(field) => (
          <TextInput
            {...field}
            {...titleEnter}
            name="title"
            autoComplete="off"
            enterKeyHint="next"
            value={draft.title}
            onChange={(event) => thread.update({ title: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="内容"
        hint={
          <>
            最初の書き込みになります。<span className={styles['pointer']}>Ctrl（⌘）+Enterでも立てられます。</span>
          </>
        }
        error={problems.content}
        counter={{ length: countGraphemes(draft.content.trimEnd()), max: POST.max }}
        required
      >
        {(field) => (
          <TextArea
            {...field}
            {...contentEnter}
            ref={content}
            name="content"
            rows={6}
            maxRows={12}
            value={draft.content}
            onChange={(event) => thread.update({ content: event.target.value })}
          />
        )}
      </Field>
      <div className={styles['pair']}>
        <Field label="カテゴリ" error={problems.category} required>
          {(field) => (
            <SelectInput
              {...field}
              name="category"
              value={thread.category}
              onChange={(event) => thread.update({ category: event.target.value })}
            >
              {categories.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectInput>
          )}
        </Field>
        <WriterField thread={thread}>
          {maySeal && (
            <Switch checked={wantsSeal} onChange={setWantsSeal}>
              運営の印を付ける
            </Switch>
          )}
        </WriterField>
      </div>
      <ImageField picker={picker} disabled={sending} />
      <div className={styles['actions']}>
        <Outcome thread={thread} paused={paused} hasImage={picker.file !== null} />
        <Button
          type="submit"
          variant="primary"
          busy={sending || picker.working}
          aria-disabled={thread.wait > 0}
          disabled={paused !== null}
          icon={<SendIcon size={18} />}
          data-creates
        >
          {sending ? '作成中…' : thread.wait > 0 ? `あと${thread.wait}秒` : 'スレッドを作成'}
        </Button>
      </div>
    </form>
  )
}

type Thread = ReturnType<typeof useCreateThread>

/**
 * The writer's name. The server-rendered page is the same for all visitors: it contains both
 * variants, and the style sheet shows one.
 */
function WriterField({ thread, children }: { thread: Thread; children: ReactNode }) {
  const { draft } = thread
  const { user } = useSession()
  const enter = useImeSafeEnter({})
  return (
    <>
      <div className="for-guests">
        <Field
          label="ニックネーム（任意）"
          hint="空のままなら「名無し」になります。「名前#鍵」と入れると、鍵を知る人だけが出せる印（◆トリップ）が付きます。"
          error={thread.problems.nickname}
          counter={{ length: countGraphemes(splitName(draft.nickname).name), max: NICKNAME.max }}
        >
          {(field) => (
            <TextInput
              {...field}
              {...enter}
              name="nickname"
              autoComplete="off"
              value={draft.nickname}
              onChange={(event) => thread.update({ nickname: event.target.value })}
            />
          )}
        </Field>
      </div>
      <div className="for-members">
        <div className={styles['author']}>
          <span className={styles['label']}>名前</span>
          <p className={styles['name']}>{user?.name ?? '会員'}</p>
          <p className={styles['hint']}>会員名で書き込みます。</p>
          {children}
        </div>
      </div>
    </>
  )
}

function ImageField({ picker, disabled }: { picker: ReturnType<typeof useImagePicker>; disabled: boolean }) {
  const label = useId()
  return (
    <div role="group" aria-labelledby={label} className={styles['image']}>
      <span id={label} className={styles['label']}>
        画像（任意）
      </span>
      <ImagePicker
        picker={picker}
        hint={
          <>
            JPEG・PNG・GIF・WebP、10MBまで。
            <span className={styles['pointer']}>貼り付けやドラッグ＆ドロップもできます。</span>
          </>
        }
        disabled={disabled}
      />
    </div>
  )
}

/** Progress and result of the submission. */
function Outcome({ thread, paused, hasImage }: { thread: Thread; paused: string | null; hasImage: boolean }) {
  const { notice, progress } = thread
  return (
    <div className={styles['outcome']}>
      {thread.proving && <Proving className={styles['proving']} />}
      {paused !== null && <Notice tone="info">{paused}</Notice>}
      {thread.lasting !== null && <Notice tone="error">{thread.lasting}</Notice>}
      {notice !== null && !thread.proving && <Notice tone={notice.tone}>{notice.text}</Notice>}
      {progress !== null && hasImage && <ProgressBar value={progress} label="画像を送信中" />}
    </div>
  )
}
