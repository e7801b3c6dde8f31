import { LIKE_FLAMES } from '@shinobi/contract/limits'
import styles from './flames.module.css'

const flames = Array.from({ length: LIKE_FLAMES }, (_, index) => index)

/**
 * 天照: eight flames lick up over a positioned parent for two seconds, and then it is quiet. Mount it to light it, take it
 * away after `LIKE_ANIMATION_MS`.
 */
export function Flames() {
  return (
    <span className={styles['flames']} aria-hidden="true">
      {flames.map((flame) => (
        <svg key={flame} className={styles['flame']} viewBox="0 0 20 30">
          <path
            fill="#ff6b5a"
            d="M10.5 0c1 5-2.3 7.3-5 10.8C3 14 1 16.8 1 20.7A9 9 0 0 0 10 30a9 9 0 0 0 9-9.5c0-4.3-2.2-6.8-3.7-9.5-.3 2.3-1.2 3.7-2.6 4.5.8-5.2.2-11-2.2-15.5Z"
          />
          <path
            fill="#ffb454"
            d="M10.3 9.5c.4 3.6-1.5 5-3.1 7.3-1.2 1.7-2 3.2-2 5.2A4.9 4.9 0 0 0 10 27a4.9 4.9 0 0 0 5-5c0-2.4-1-3.8-1.8-5.3-.3 1.2-.8 1.9-1.5 2.3.3-3.3-.1-6.5-1.4-9.5Z"
          />
          <path fill="#f1ead2" d="M10 19.5c-1.3 1.7-2.3 2.7-2.3 4.3a2.3 2.3 0 0 0 4.6 0c0-1.6-1.1-2.6-2.3-4.3Z" />
        </svg>
      ))}
    </span>
  )
}
