import type { LogForm } from '@shinobi/contract/logs'
import styles from './thread-tools.module.css'

const FORMS: readonly { readonly form: LogForm; readonly label: string }[] = [
  { form: 'txt', label: 'テキスト' },
  { form: 'dat', label: 'dat（専ブラ）' },
  { form: 'json', label: 'JSON' },
]

/** Saves all posts of a thread as a file. */
export function TakeAlong({ threadId }: { threadId: string }) {
  return (
    <section aria-label="このスレッドを保存" className={styles['saving']}>
      <h3 className={styles['heading']}>このスレッドを保存</h3>
      <ul className={styles['choices']}>
        {FORMS.map(({ form, label }) => (
          <li key={form}>
            <a className={styles['choice']} href={`/api/threads/${threadId}/log.${form}`} download>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
