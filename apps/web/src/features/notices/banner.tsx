import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../../lib/storage.ts'
import { announceStored, subscribeStored } from '../../lib/stored-changes.ts'
import { IconButton } from '../../ui/button.tsx'
import { CloseIcon, InfoIcon } from '../../ui/icons.tsx'
import { Strip } from '../../ui/strip.tsx'
import { markOf } from './mark.ts'
import styles from './banner.module.css'

/** A dismissed banner is stored by its mark; public/boot.js hides it before the first paint. */
const KEY = 'bannerSeen'
const subscribe = (listener: () => void): (() => void) => subscribeStored(KEY, listener)

export function Banner({ text }: { text: string }) {
  const mark = markOf(text)
  const seen = useSyncExternalStore(
    subscribe,
    () => readStored(KEY),
    () => null,
  )
  if (seen === mark) return null
  return (
    <Strip
      label="運営からのお知らせ"
      data-banner={mark}
      lead={<InfoIcon className={styles['icon']} />}
      end={
        <IconButton
          label="お知らせを閉じる"
          className={styles['close']}
          onClick={() => {
            writeStored(KEY, mark)
            announceStored(KEY)
          }}
        >
          <CloseIcon size={18} />
        </IconButton>
      }
    >
      <p>{text}</p>
    </Strip>
  )
}
