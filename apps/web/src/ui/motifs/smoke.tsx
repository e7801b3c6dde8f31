import styles from './smoke.module.css'

/**
 * ドロン: a puff of smoke where something disappears. Covers a positioned parent; it plays when
 * mounted (600 ms).
 */
export function Smoke() {
  return (
    <svg className={styles['smoke']} viewBox="0 0 120 80" aria-hidden="true">
      {puffs.map((d) => (
        <path key={d} className={styles['puff']} d={d} />
      ))}
    </svg>
  )
}

/** Five curls of cloud in the style of a scroll painting: a round back and a hooked end. */
const puffs = [
  'M28 62c-13 0-20-9-18-19 2-9 11-13 19-10 7 3 9 11 5 16-3 4-9 4-11 0-1-3 0-5 2-6-5 1-7 6-4 10 4 5 12 4 17-1l4 9c-4 1-9 1-14 1Z',
  'M48 36c-2-12 6-22 17-21 9 0 15 8 13 16-2 7-9 10-14 7-4-2-5-8-1-10 2-1 5-1 6 1-1-5-6-7-10-4-5 4-4 11 1 15l-9 3c-2-2-3-4-3-7Z',
  'M96 62c12 0 18-10 15-19-2-8-11-12-18-8-7 3-8 11-4 15 3 4 9 3 11 0 1-3-1-5-3-5 5 0 8 5 5 9-4 6-12 6-18 1l-3 7h15Z',
  'M60 66c-10 1-17-5-17-13 0-7 6-12 12-11 6 0 10 6 8 11-1 4-6 5-8 2-1-1-1-3 1-4-4 1-5 4-3 7 3 4 9 4 13 0l3 8h-9Z',
  'M82 40c-8-2-11-9-8-15 2-5 8-7 13-5 5 3 6 9 3 12-3 3-7 2-8-1 0-1 0-3 2-3-4-1-6 3-5 6 2 4 7 5 11 2l1 7c-3 0-6-2-9-3Z',
]
