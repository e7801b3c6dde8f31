import styles from './sparkline.module.css'

const WIDTH = 120
const HEIGHT = 28

/** A row of small bars, as high as the figures, the newest at the right and bright. What they say is in `label`. */
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
        // An hour without anything is seen as well: as a line on the ground.
        const height = value === 0 ? 1 : Math.max(2, (value / highest) * HEIGHT)
        return (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- the bars are places in time
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
