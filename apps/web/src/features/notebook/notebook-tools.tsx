import { inFigures } from '@shinobi/contract/in-figures'
import { NOTEBOOK_FILE_BYTES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { useRef, useState, useSyncExternalStore, type ChangeEvent } from 'react'
import { tokyoDay } from '../../lib/format-date.ts'
import { useRequest } from '../../lib/use-request.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice, type NoticeTone } from '../../ui/notice.tsx'
import { useMember } from '../accounts/use-session.ts'
import { subscribeRules } from '../hiding/rules-changed.ts'
import { hidingRules, noHidingRules, uniteRules } from '../hiding/rules.ts'
import { hasUnsent } from '../posts/unsent/unsent-mark.ts'
import { readRecords, type ThreadRecord } from '../reading/store.ts'
import { addRecords, changeAll, forgetThreadHere } from './changes.ts'
import { NotebookFileError, readNotebook, writeNotebook } from './file.ts'
import { NotebookSync } from './notebook-sync.tsx'
import styles from './notebook.module.css'

/** Writes the notebook to a file, reads one, and empties it. */
export function NotebookTools({ records }: { records: readonly ThreadRecord[] }) {
  const [result, setResult] = useState<{ tone: NoticeTone; text: string } | null>(null)
  const [clearing, setClearing] = useState(false)
  const { busy, send } = useRequest()
  const member = useMember()
  const rules = useSyncExternalStore(subscribeRules, hidingRules, noHidingRules)
  const isEmpty = records.length === 0 && rules.length === 0
  const input = useRef<HTMLInputElement>(null)

  const attempt = (work: () => Promise<string | null>) =>
    send(
      async () => {
        setResult(null)
        const text = await work()
        setResult(text === null ? null : { tone: 'success', text })
      },
      (error) => {
        const text = error instanceof NotebookFileError ? error.message : messages.notebook_not_changed
        setResult({ tone: 'error', text })
        return text
      },
    )

  const save = () =>
    attempt(async () => {
      const now = Date.now()
      const text = writeNotebook({ threads: await readRecords(), hiding: hidingRules() }, now)
      saveFile(`shinobi-notebook-${tokyoDay(now)}.json`, 'application/json', text)
      return null
    })

  const load = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    // The same file may be chosen again.
    const field = event.target
    if (file === undefined) return
    void attempt(async () => {
      if (file.size > NOTEBOOK_FILE_BYTES) throw new NotebookFileError(messages.notebook_file_too_large)
      const now = Date.now()
      const { threads: read, hiding } = readNotebook(await file.text(), now)
      const known = new Set((await readRecords()).map(({ threadId }) => threadId))
      const added = read.filter(({ threadId }) => !known.has(threadId)).length
      await addRecords(read)
      const rules = uniteRules(hiding, now)
      return (
        `${inFigures(read.length)}件のスレッドを読み込みました（新しいもの${inFigures(added)}件）。` +
        (rules > 0 ? `NG設定が${inFigures(rules)}件増えました。` : '')
      )
    }).finally(() => {
      field.value = ''
    })
  }

  const clear = async () => {
    const isDone = await attempt(async () => {
      await changeAll(await readRecords(), ({ threadId }) => forgetThreadHere(threadId))
      if (hasUnsent()) await (await import('../posts/unsent/unsent.ts')).clearUnsent()
      return '帳面をすべて消しました。'
    })
    setClearing(false)
    return isDone
  }

  return (
    <>
      {member !== null && <NotebookSync memberId={member._id} hasRecords={records.length > 0} />}
      <section className={styles['tools']} aria-labelledby="notebook-tools">
        <h2 id="notebook-tools" className={styles['heading']}>
          帳面の保管
        </h2>
        <p className={styles['words']}>
          {member === null &&
            '帳面はこのブラウザの中だけに保存され、サーバーには残りません（新着を調べるときに、スレッドのIDだけを問い合わせます）。'}
          最近開いたスレッドの書き込みもこのブラウザに残り、オフラインでも読めます。書き出したファイルを別のブラウザで読み込むと、両方の記録とNG設定が合わさります。ファイルからは読んだスレッドと自分の書き込みが分かるので、人に渡さないでください。
        </p>
        <div className={styles['buttons']}>
          <Button size="sm" busy={busy} aria-disabled={isEmpty || undefined} onClick={() => void save()}>
            帳面を書き出す
          </Button>
          <Button size="sm" busy={busy} onClick={() => input.current?.click()}>
            帳面を読み込む
          </Button>
          <Button size="sm" variant="danger" disabled={records.length === 0} onClick={() => setClearing(true)}>
            すべて消す
          </Button>
          <input
            ref={input}
            type="file"
            accept="application/json,.json"
            aria-label="帳面のファイル"
            hidden
            onChange={load}
          />
        </div>
        {result !== null && (
          <Notice tone={result.tone} onClose={() => setResult(null)}>
            {result.text}
          </Notice>
        )}
        <Dialog
          open={clearing}
          onClose={() => setClearing(false)}
          title="帳面をすべて消す"
          footer={
            <>
              <Button data-autofocus onClick={() => setClearing(false)}>
                キャンセル
              </Button>
              <Button variant="danger" busy={busy} onClick={() => void clear()}>
                すべて消す
              </Button>
            </>
          }
        >
          <p>
            お気に入り、履歴、読んだところ、自分のスレと書き込みの記録、送信を待つ書き込みを、このブラウザから消します。
            {member !== null && 'アカウントとほかの端末の記録は残ります。'}
            元には戻せません。残しておきたいときは、先に書き出してください。
          </p>
        </Dialog>
      </section>
    </>
  )
}
