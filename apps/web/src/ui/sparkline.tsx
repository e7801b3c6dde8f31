import styles from './sparkline.module.css'

const WIDTH = 120
const HEIGHT = 28

/**
 * A row of small bars for the figures, the newest at the right and highlighted. `label` describes
 * them.
 */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(1, ...values)
  const step = WIDTH / Math.max(1, values.length)
  return (
    <svg
      className={styles['sparkline']}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.map((value, index) => {
        // A zero is visible, too: as a line at the bottom.
        const height = value === 0 ? 1 : Math.max(2, (value / highest) * HEIGHT)
        return (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- a bar is identified by its position
            key={index}
            x={index * step + 0.5}
            y={HEIGHT - height}
            width={Math.max(1, step - 1)}
            height={height}
            className={value === 0 ? styles['none'] : index === values.length - 1 ? styles['now'] : styles['bar']}
          />
        )
      })}
    </svg>
  )
}
