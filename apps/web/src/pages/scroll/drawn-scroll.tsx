import { LEVEL_MAX } from '@shinobi/contract/limits'
import type { Scroll } from '@shinobi/contract/scroll'
import { ScrollRod } from '../../ui/motifs/scroll-rod.tsx'
import styles from './drawn-scroll.module.css'

const LEVELS = Array.from({ length: LEVEL_MAX }, (_, index) => index + 1)

/**
 * The level as an open scroll: a seal for each level that is reached, an empty frame for each that
 * is not. It unrolls once, by transforms as dialogs do.
 */
export function DrawnScroll({ scroll: { level, of, opens } }: { scroll: Scroll }) {
  const opening = new Set(opens.map((entry) => entry.level))
  return (
    <div className={styles['scroll']}>
      <ScrollRod vertical className={styles['fixed']} />
      <div className={styles['window']}>
        <div className={styles['paper']}>
          <p className={styles['level']}>
            <span className={styles['of']}>{of === 'member' ? 'アカウントのレベル' : 'このブラウザのレベル'}</span>
            <strong>{level}</strong>
            <span className={styles['of']}>最高 {LEVEL_MAX}</span>
          </p>
          <ol className={styles['seals']} aria-hidden="true">
            {LEVELS.map((number) => (
              <li key={number} data-reached={number <= level} data-opens={opening.has(number)}>
                {number <= level ? '忍' : opening.has(number) ? number : ''}
              </li>
            ))}
          </ol>
        </div>
      </div>
      <div className={styles['rods']}>
        <ScrollRod vertical className={styles['moving']} />
      </div>
    </div>
  )
}
