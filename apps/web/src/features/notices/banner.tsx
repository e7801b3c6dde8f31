import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../../lib/storage.ts'
import { IconButton } from '../../ui/button.tsx'
import { CloseIcon, InfoIcon } from '../../ui/icons.tsx'
import { markOf } from './mark.ts'
import styles from './banner.module.css'

/** What was read is kept by its mark, which public/boot.js hides before the first paint. */
const KEY = 'bannerSeen'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Banner({ text }: { text: string }) {
  const mark = markOf(text)
  const seen = useSyncExternalStore(
    subscribe,
    () => readStored(KEY),
    () => null,
  )
  if (seen === mark) return null
  return (
    <aside className={styles['banner']} data-banner={mark} aria-label="運営からのお知らせ">
      <div className={`container ${styles['inner']}`}>
        <InfoIcon className={styles['icon']} />
        <p className={styles['words']}>{text}</p>
        <IconButton
          label="お知らせを閉じる"
          className={styles['close']}
          onClick={() => {
            writeStored(KEY, mark)
            for (const listener of listeners) listener()
          }}
        >
          <CloseIcon size={18} />
        </IconButton>
      </div>
    </aside>
  )
}
