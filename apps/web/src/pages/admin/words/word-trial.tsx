import { inFigures } from '@shinobi/contract/in-figures'
import { LOOK_BACK_DAYS } from '@shinobi/contract/limits'
import type { WordHit, WordTrial as Trial } from '@shinobi/contract/words'
import { useEffect, useRef, useState } from 'react'
import { paths } from '../../../app/paths.ts'
import { tryWord } from '../../../features/admin/api.ts'
import { DateTime } from '../../../lib/date-time.tsx'
import { wordsOf } from '../../../lib/use-request.ts'
import { Button } from '../../../ui/button.tsx'
import { NewTabLink } from '../../../ui/new-tab-link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import styles from './word-trial.module.css'

interface WordTrialProps {
  word: string
  allow: readonly string[]
  /** The input is invalid. */
  disabled: boolean
}

type State = { kind: 'idle' } | { kind: 'busy' } | { kind: 'failed'; message: string } | { kind: 'done'; trial: Trial }

/** Shows which recent posts a rule would have matched, before it is saved. */
export function WordTrial({ word, allow, disabled }: WordTrialProps) {
  const subject = [word, ...allow].join('\n')
  /**
   * The result, with the input it belongs to: after a change of the input it is no longer shown.
   */
  const [tried, setTried] = useState<{ subject: string; state: State }>({ subject, state: { kind: 'idle' } })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const state: State = tried.subject === subject ? tried.state : { kind: 'idle' }

  const run = async () => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const become = (next: State) => {
      if (!controller.signal.aborted) setTried({ subject, state: next })
    }
    become({ kind: 'busy' })
    try {
      become({ kind: 'done', trial: await tryWord(word, allow, controller.signal) })
    } catch (error) {
      become({ kind: 'failed', message: wordsOf(error) })
    }
  }

  return (
    <section className={styles['trial']} aria-label="試し">
      <div className={styles['head']}>
        <p className={styles['lead']}>保存する前に、直近{LOOK_BACK_DAYS}日間の書き込みで試せます。</p>
        <Button size="sm" disabled={disabled} busy={state.kind === 'busy'} onClick={() => void run()}>
          試す
        </Button>
      </div>
      <div aria-live="polite">
        {state.kind === 'failed' && <Notice tone="error">{state.message}</Notice>}
        {state.kind === 'done' && <Outcome trial={state.trial} />}
      </div>
    </section>
  )
}

const Outcome = ({ trial: { examined, complete, since, total, hits } }: { trial: Trial }) => (
  <>
    <p className={styles['sum']}>
      <b className={styles['count']} data-some={total > 0}>
        {inFigures(total)}件
      </b>
      が該当（{inFigures(examined)}件を確認
      {complete ? '' : '、'}
      {!complete && (
        <>
          <DateTime value={since} />
          まで
        </>
      )}
      ）
    </p>
    {hits.length > 0 && (
      <ul className={styles['hits']}>
        {hits.map((hit) => (
          <Hit key={hit.postId} hit={hit} />
        ))}
      </ul>
    )}
    {total > hits.length && <p className={styles['lead']}>新しいものから{hits.length}件を表示しています。</p>}
  </>
)

const Hit = ({ hit: { threadId, number, title, text, start, end, createdAt } }: { hit: WordHit }) => (
  <li className={styles['hit']}>
    <p className={styles['text']}>
      {text.slice(0, start)}
      <mark className={styles['mark']}>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </p>
    <p className={styles['place']}>
      <NewTabLink href={`${paths.thread(threadId)}#${number}`}>
        {title} {number}
      </NewTabLink>{' '}
      <DateTime value={createdAt} />
    </p>
  </li>
)
