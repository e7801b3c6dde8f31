import { REGISTER_REDIRECT_MS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { useEffect, useRef } from 'react'
import { cx } from '../../ui/cx.ts'
import { LogoSeal } from '../../ui/motifs/logo.tsx'
import { MoonRidge } from '../../ui/motifs/moon-ridge.tsx'
import { Ninja } from '../../ui/motifs/ninja.tsx'
import styles from './welcome.module.css'

/** Longest name in title size; longer ones are set as text. */
const TITLE_LENGTH = 12

interface WelcomeProps {
  name: string
  /** The server's message about the registration. */
  message: string
  /** Called after the banner was shown. */
  onSeen: () => void
}

/** The banner of a successful registration: the ninja on the ridge, before the moon. */
export function Welcome({ name, message, onSeen }: WelcomeProps) {
  const latest = useRef(onSeen)
  useEffect(() => {
    latest.current = onSeen
  })
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), REGISTER_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [])
  const words = message === '' ? messages.register_succeeded : message
  return (
    <div className={styles['banner']} role="status">
      <MoonRidge />
      <Ninja pose="proud" className={styles['figure']} />
      <div className={styles['words']}>
        <p className={cx(styles['message'], words.length > TITLE_LENGTH && styles['long'])}>
          {words}
          <LogoSeal className={styles['seal']} />
        </p>
        <p className={styles['name']}>ようこそ、{name}さん</p>
      </div>
    </div>
  )
}
