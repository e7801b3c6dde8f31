import { LIKE_FLAMES } from '@shinobi/contract/limits'
import styles from './flames.module.css'

const flames = Array.from({ length: LIKE_FLAMES }, (_, index) => index)

/**
 * 天照: eight flames with black hearts burn over a positioned parent for two seconds. Mount it to
 * start, and unmount it after `LIKE_ANIMATION_MS`.
 */
export function Flames() {
  return (
    <span className={styles['flames']} aria-hidden="true">
      {flames.map((flame) => (
        <svg key={flame} className={styles['flame']} viewBox="0 0 24 44">
          <path
            fill="var(--flame)"
            d="M13.5 0c1.8 7.5-3.2 10.6-6.3 15.6C5.6 18.2 5 20.3 5.2 22.5 3.9 21.2 3.3 19.6 3.3 17.6 1.3 20.9 0 24.6 0 28.6 0 37.2 5.2 44 12 44s12-6.6 12-15c0-5.2-2.1-8.8-4.6-12.3-.3 2.1-1 3.7-2.3 4.800C17.8 13.9 17.4 6.2 13.5 0Z"
          />
          <path
            fill="var(--flame-core)"
            d="M12.6 12c.7 5-2.3 7.6-4.5 11.2-1.7 2.7-2.7 5.1-2.7 8C5.4 36.8 8.3 41 12 41s6.7-4.1 6.7-9.400c0-3.1-1-5.5-2.4-7.7-.2 1.5-.7 2.6-1.5 3.300C15.2 21.7 15 16.3 12.6 12Z"
          />
          <path
            fill="var(--figure-ink)"
            d="M12.2 24c.2 3-1.4 4.6-2.5 6.6-.7 1.3-1.1 2.4-1.1 3.7 0 2.6 1.5 4.6 3.4 4.600s3.4-1.9 3.4-4.400c0-1.6-.5-2.8-1.3-4-.1.9-.4 1.5-.8 1.9.3-3-.1-5.9-1.1-8.400Z"
          />
        </svg>
      ))}
    </span>
  )
}
