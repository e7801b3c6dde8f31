import { TITLE } from '@shinobi/contract/limits'
import { NEWS_SENTENCE } from '@shinobi/contract/staff-limits'
import type { NewsCorrection, NewsStory } from '@shinobi/contract/news'
import { cleanLine, countGraphemes } from '@shinobi/contract/text'
import { useState } from 'react'
import { ActionForm } from '../admin/action-form.tsx'
import { useLast } from '../admin/use-last.ts'
import { correctStory } from './api.ts'
import { ApiError } from '../../lib/api-client.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './correct-dialog.module.css'
import { cleanCorrection, findCorrectionProblems, hasProblems, readKept } from './correction-fields.ts'
import { FormFields } from '../../ui/form-fields.tsx'
import { ReasonField } from './reason-field.tsx'

interface CorrectDialogProps {
  /** The story in its current state; null closes the dialog. */
  story: NewsStory | null
  onClose: () => void
  onCorrected: () => Promise<void>
  /** Loads the story again; undefined when that failed. */
  onReload: () => Promise<NewsStory | undefined>
}

/**
 * Corrects the text of a published summary. Typed text is stored until the server has accepted it,
 * however the dialog is closed.
 */
export function CorrectDialog({ story, onClose, ...rest }: CorrectDialogProps) {
  const last = useLast(story)
  return (
    <Dialog open={story !== null} onClose={onClose} title={last?.kind === 'headline' ? 'タイトルの訂正' : '要約の訂正'}>
      {last !== null && <CorrectForm story={last} onClose={onClose} {...rest} />}
    </Dialog>
  )
}

const NOTHING_KEPT = { text: '' }

function CorrectForm({ story, onClose, onCorrected, onReload }: CorrectDialogProps & { story: NewsStory }) {
  const draft = useDraft(`news-correction:${story._id}`, NOTHING_KEPT)
  const [typing, setTyping] = useState(false)
  const [tries, setTries] = useState(0)
  const tried = tries > 0
  const printed: NewsCorrection = {
    ...{ title: story.title, sentences: story.sentences.map(({ text }) => text), note: '' },
    corrections: story.corrections.length,
  }
  const kept = readKept(draft.value.text, printed.sentences.length)
  const fields = kept ?? printed
  const problems = findCorrectionProblems(fields)
  /**
   * Number of corrections in the text that was shown beside the fields, on opening or after a
   * conflict.
   */
  const [seen, setSeen] = useState(printed.corrections)
  const isOutdated = fields.corrections < printed.corrections
  const nowOf = (typed: string, now: string | undefined) => (isOutdated && typed !== now ? now : undefined)

  const type = (patch: Partial<NewsCorrection>) => {
    setTyping(true)
    draft.update({ text: JSON.stringify({ ...fields, ...patch }) })
  }
  const submit = async () => {
    setTries((before) => before + 1)
    if (hasProblems(problems)) return
    const corrections = Math.max(fields.corrections, seen)
    try {
      await correctStory(story._id, cleanCorrection({ ...fields, corrections }))
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) {
        const now = await onReload()
        if (now !== undefined) setSeen(now.corrections.length)
      }
      throw error
    }
    draft.clear()
    await onCorrected()
  }
  return (
    <ActionForm label="訂正する" onCancel={onClose} onSubmit={submit}>
      <FormFields tries={tries}>
        <p>
          {story.kind === 'headline' ? 'スレッドのタイトルが変わり' : 'スレッドのタイトルと最初の書き込みが変わり'}
          、訂正したことと下の説明がスレッドに出ます。
        </p>
        {isOutdated && (
          <Notice tone="info">
            <p>書きはじめたあとに、ほかの訂正が載りました。いまの文を見比べてから送ってください。</p>
            <p className={styles['quote']}>
              <span className={styles['label']}>訂正の説明</span> {story.corrections.at(-1)?.note}
            </p>
          </Notice>
        )}
        {kept !== null && !typing && (
          <Notice tone="info">
            <span className={styles['kept']}>
              書きかけの訂正を戻しました。
              <Button size="sm" onClick={draft.clear}>
                元の要約から始める
              </Button>
            </span>
          </Notice>
        )}
        <Line
          label="タイトル"
          value={fields.title}
          now={nowOf(fields.title, printed.title)}
          max={TITLE.max}
          error={tried ? problems.title : null}
          onChange={(title) => type({ title })}
        />
        {fields.sentences.map((sentence, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the sentences are their places
          <div key={index} className={styles['sentence']}>
            <Line
              label={`要約の文${index + 1}`}
              value={sentence}
              now={nowOf(sentence, printed.sentences[index])}
              max={NEWS_SENTENCE.max}
              error={tried ? (problems.sentences[index] ?? null) : null}
              onChange={(text) => type({ sentences: fields.sentences.with(index, text) })}
            />
            <blockquote className={styles['quote']}>
              <span className={styles['label']}>元の文</span> {story.sentences[index]?.quote}
            </blockquote>
          </div>
        ))}
        <ReasonField
          label="訂正の説明"
          hint="誰でも読めます。何が誤りだったかを書きます。"
          value={fields.note}
          error={tried ? problems.note : null}
          onChange={(note) => type({ note })}
        />
      </FormFields>
    </ActionForm>
  )
}

interface LineProps {
  label: string
  value: string
  /** The current text of the thread, where it differs. */
  now: string | undefined
  max: number
  error: string | null
  onChange: (value: string) => void
}

/** A single line of text in a field that grows to show all of it: Enter adds no line break. */
const Line = ({ label, value, now, max, error, onChange }: LineProps) => (
  <Field
    label={label}
    required
    hint={
      now && (
        <span className={styles['now']}>
          <b className={styles['label']}>いまの文：</b>
          {now}
        </span>
      )
    }
    error={error}
    counter={{ length: countGraphemes(cleanLine(value)), max }}
  >
    {(field) => (
      <TextArea
        {...field}
        rows={2}
        maxRows={6}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.replace(/[\r\n]+/g, ''))}
      />
    )}
  </Field>
)
