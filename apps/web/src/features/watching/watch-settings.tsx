import { KEYWORD_LENGTH_MAX, KEYWORDS_MAX } from '@shinobi/contract/watching-limits'
import { countGraphemes } from '@shinobi/contract/text'
import { foldForSearch } from '@shinobi/text/fold'
import { useRef, useState } from 'react'
import { buttonBeside } from '../../lib/button-beside.ts'
import { Button } from '../../ui/button.tsx'
import { LineField } from '../../ui/line-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { readRecords } from '../reading/store.ts'
import styles from './alert-list.module.css'
import { changeWatching, useWatching } from './store.ts'

/** Favourites begin as they are now: what was unread before is no news. */
async function watchFavourites(isOn: boolean): Promise<void> {
  const records = isOn ? await readRecords() : []
  const seen = records
    .filter(({ favouriteAt }) => favouriteAt !== null)
    .map(({ threadId, postCount }) => [threadId, postCount] as const)
  changeWatching((before) => ({ ...before, favourites: isOn, seen: { ...before.seen, ...Object.fromEntries(seen) } }))
}

/** What is watched besides own posts: favourites, and words in the titles of new threads. */
export function WatchSettings() {
  const { favourites, keywords } = useWatching()
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  /** The second press of a double one is not about the emptied field. */
  const isAdded = useRef(false)

  const add = () => {
    const keyword = text.trim()
    if (keyword === '' && isAdded.current) return
    const objection = objectionTo(keyword, keywords)
    setError(objection)
    if (objection !== null) return
    changeWatching((before) => ({ ...before, keywords: [...before.keywords, keyword] }))
    setText('')
    isAdded.current = true
  }
  const remove = (keyword: string) =>
    changeWatching((before) => {
      const left = before.keywords.filter((other) => other !== keyword)
      // Who begins again later is not told of what was opened meanwhile.
      return { ...before, keywords: left, threadsThrough: left.length === 0 ? null : before.threadsThrough }
    })

  return (
    <section className={styles['settings']} aria-labelledby="watch-settings">
      <h2 id="watch-settings" className={styles['heading']}>
        見張るもの
      </h2>
      <p className={styles['words']}>
        自分の書き込みへの返信は、いつも届きます。スレッドはタイトルの下の「見張る」（目の印）で選びます。選んだものは、下の「閉じていても知らせる」がオフなら、このブラウザの中だけに保存されます。
      </p>
      <div>
        <Switch checked={favourites} onChange={(isOn) => void watchFavourites(isOn)}>
          お気に入りをすべて見張る
        </Switch>
      </div>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <LineField
          label="新しいスレッドを見張る言葉"
          hint="タイトルにこの言葉があるスレッドが立つと届きます。"
          error={error}
          className={styles['field']}
          value={text}
          onChange={setText}
        />
        <Button type="submit">加える</Button>
      </form>
      {keywords.length > 0 && (
        <ul className={styles['keywords']} aria-label="見張る言葉">
          {keywords.map((keyword) => (
            <li key={keyword} className={styles['keyword']}>
              {keyword}
              <button
                type="button"
                className={styles['remove']}
                aria-label={`「${keyword}」を外す`}
                onClick={({ currentTarget }) => {
                  buttonBeside(currentTarget)?.focus({ preventScroll: true })
                  remove(keyword)
                }}
              >
                外す
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function objectionTo(keyword: string, keywords: readonly string[]): string | null {
  const folded = foldForSearch(keyword)
  if (folded === '') return '言葉を入力してください。'
  if (countGraphemes(keyword) > KEYWORD_LENGTH_MAX) return `${KEYWORD_LENGTH_MAX}文字までの言葉にしてください。`
  if (keywords.length >= KEYWORDS_MAX) return `言葉は${KEYWORDS_MAX}個までです。どれかを外してください。`
  return keywords.some((other) => foldForSearch(other) === folded) ? 'この言葉はもう見張っています。' : null
}
