import { ERROR_NOTICE_MS } from '@shinobi/contract/limits'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { AlertIcon, CheckIcon, CloseIcon, InfoIcon } from './icons.tsx'
import styles from './notice.module.css'

export type NoticeTone = 'error' | 'success' | 'info'

export interface TimedNotice {
  tone: NoticeTone
  text: string
}

const icons = { error: AlertIcon, success: CheckIcon, info: InfoIcon }

/** Reports a result in the place of the action. */
export function Notice({ tone, onClose, children }: { tone: NoticeTone; onClose?: () => void; children: ReactNode }) {
  const Icon = icons[tone]
  return (
    <div className={cx(styles['notice'], styles[tone])} role={tone === 'error' ? 'alert' : 'status'}>
      <Icon />
      <div className={styles['words']}>{children}</div>
      {onClose && (
        <IconButton label="お知らせを閉じる" onClick={onClose} className={styles['close']}>
          <CloseIcon size={16} />
        </IconButton>
      )}
    </div>
  )
}

/**
 * Why a form was not sent. It comes after everything else in the form, so that nothing moves, and
 * is scrolled into view.
 */
export function FormProblem({ id, children }: { id?: string; children: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [children])
  return (
    <div ref={place} id={id} className={styles['problem']}>
      <Notice tone="error">{children}</Notice>
    </div>
  )
}

/** A notice that disappears after `ms`; a new one replaces it and restarts the timer. */
export function useTimedNotice(ms: number = ERROR_NOTICE_MS) {
  const [notice, setNotice] = useState<TimedNotice | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const clear = useCallback(() => {
    clearTimeout(timer.current)
    setNotice(null)
  }, [])

  const show = useCallback(
    (text: string, tone: NoticeTone = 'error') => {
      clearTimeout(timer.current)
      setNotice({ tone, text })
      timer.current = setTimeout(() => setNotice(null), ms)
    },
    [ms],
  )

  useEffect(() => () => clearTimeout(timer.current), [])

  return { notice, show, clear }
}

/** Shows a timed notice over the bottom of the page, so that the layout does not shift. */
export function NoticeRegion({ notice, onClose }: { notice: TimedNotice | null; onClose?: () => void }) {
  return (
    <div className={styles['region']}>
      {notice && (
        <Notice key={notice.text} tone={notice.tone} {...(onClose ? { onClose } : {})}>
          {notice.text}
        </Notice>
      )}
    </div>
  )
}
