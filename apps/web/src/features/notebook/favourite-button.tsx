import { messages } from '@shinobi/contract/messages'
import { useEffect, useRef, useState } from 'react'
import { StarIcon } from '../../ui/icons.tsx'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import { readRecord, subscribeRecords } from '../reading/store.ts'
import { setFavourite, type KeptThread } from './changes.ts'
import styles from './favourite-button.module.css'

/** Whether the thread is a favourite of this browser, as a button; off until the record is read. */
export function FavouriteButton({ thread }: { thread: KeptThread }) {
  const threadId = thread._id
  const [isOn, setOn] = useState(false)
  const { notice, show, clear } = useTimedNotice()
  /** Number of presses: what was read before a press is outdated after it. */
  const presses = useRef(0)
  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      const since = presses.current
      const record = await readRecord(threadId)
      if (isCurrent && presses.current === since) setOn(record !== undefined && record.favouriteAt !== null)
    }
    const tryRead = () => void read().catch(() => {})
    tryRead()
    const leave = subscribeRecords((ids) => ids.includes(threadId) && tryRead())
    return () => {
      isCurrent = false
      leave()
    }
  }, [threadId])

  const press = () => {
    presses.current += 1
    setOn(!isOn)
    setFavourite(thread, !isOn).catch(() => {
      setOn(isOn)
      show(messages.notebook_not_changed)
    })
  }
  return (
    <>
      <button
        type="button"
        className={styles['star']}
        aria-pressed={isOn}
        aria-label="お気に入り"
        title={isOn ? 'お気に入りから外す' : 'お気に入りに入れる'}
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onClick={press}
      >
        <StarIcon size={18} />
      </button>
      <NoticeRegion notice={notice} onClose={clear} />
    </>
  )
}
