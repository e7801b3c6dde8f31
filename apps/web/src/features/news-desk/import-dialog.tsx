import type { Category } from '@shinobi/contract/categories'
import { defaultCategory } from '@shinobi/contract/category-labels'
import { inFigures } from '@shinobi/contract/in-figures'
import { NEWS_OPML_CHARACTERS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { ImportedNewsSources } from '@shinobi/contract/news'
import { useRef, useState } from 'react'
import { ActionForm } from '../admin/action-form.tsx'
import { importSources } from './api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { FormFields } from '../../ui/form-fields.tsx'
import styles from './import-dialog.module.css'
import { SourceChoices } from './source-choices.tsx'
import { findSharedProblems, newSource, readShared, type SharedFields } from './source-fields.ts'

interface ImportDialogProps {
  open: boolean
  categories: readonly Category[]
  onClose: () => void
  onImported: (words: string) => Promise<void>
  /** Some sources were added and others were invalid: the dialog lists these. */
  onPartly: () => Promise<void>
}

export function ImportDialog({ open, onClose, ...rest }: ImportDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="まとめて追加">
      <ImportForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

function ImportForm({ categories, onClose, onImported, onPartly }: Omit<ImportDialogProps, 'open'>) {
  const [opml, setOpml] = useState('')
  const [fields, setFields] = useState<SharedFields>(() => newSource(defaultCategory(categories)?._id ?? ''))
  const [tries, setTries] = useState(0)
  const tried = tries > 0
  const [imported, setImported] = useState<ImportedNewsSources | null>(null)
  const file = useRef<HTMLInputElement>(null)
  const problem =
    opml.trim() === ''
      ? 'OPMLを選ぶか、貼り付けてください。'
      : opml.length > NEWS_OPML_CHARACTERS
        ? messages.news_opml_too_large
        : null

  const type = (text: string) => {
    setOpml(text)
    setImported(null)
  }
  const submit = async () => {
    setTries((before) => before + 1)
    setImported(null)
    const shared = readShared(fields)
    if (problem !== null || shared === null) return
    const answer = await importSources({ opml, ...shared })
    if (answer.unusable.length === 0) return onImported(describe(answer))
    setImported(answer)
    await onPartly()
  }
  return (
    <ActionForm label="追加する" onCancel={onClose} onSubmit={submit}>
      <FormFields tries={tries}>
        <div className={styles['file']}>
          <input
            ref={file}
            type="file"
            className="visually-hidden"
            accept=".opml,.xml,text/xml,application/xml,text/x-opml"
            aria-label="OPMLファイル"
            tabIndex={-1}
            onChange={(event) => {
              const [chosen] = event.currentTarget.files ?? []
              if (chosen !== undefined) void chosen.text().then(type)
              // Allows the same file to be chosen again once it was corrected.
              event.currentTarget.value = ''
            }}
          />
          <Button onClick={() => file.current?.click()}>ファイルを選ぶ</Button>
          <p className={styles['hint']}>ほかのフィードリーダーから書き出したOPMLを読み込みます。</p>
        </div>
        <Field
          label="OPML"
          hint="貼り付けることもできます。登録済みのフィードはそのままです。"
          required
          error={tried ? problem : null}
        >
          {(field) => (
            <TextArea
              {...field}
              rows={4}
              maxRows={8}
              spellCheck={false}
              value={opml}
              onChange={(event) => type(event.currentTarget.value)}
            />
          )}
        </Field>
        <SourceChoices
          fields={fields}
          problems={tried ? findSharedProblems(fields) : {}}
          categories={categories}
          languageHint="OPMLに言語が書かれていないフィードに使います。"
          onChange={(patch) => setFields((before) => ({ ...before, ...patch }))}
        />
      </FormFields>
      {imported !== null && (
        <div ref={intoView}>
          <Notice tone="info">
            {describe(imported)}。{count(imported.unusableCount)}は使えません。
            {imported.unusableCount > imported.unusable.length &&
              `はじめの${count(imported.unusable.length)}を示します。`}
            <ul className={styles['unusable']}>
              {[...new Set(imported.unusable)].map((address) => (
                <li key={address}>{address}</li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
    </ActionForm>
  )
}

/** In a form taller than the viewport, the result is below the fields. */
const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

const count = (value: number): string => `${inFigures(value)}件`
const describe = ({ added, known }: ImportedNewsSources): string =>
  `${count(added)}を追加しました（登録済み ${count(known)}）`
