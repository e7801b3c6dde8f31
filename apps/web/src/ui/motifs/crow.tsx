/** Stroke width of the figures in a drawing of 160 by 140. */
const WEIGHT = 2.5

/**
 * The three-legged crow of the legend, inside another drawing; it stands on (0, 0) and looks to the
 * right.
 */
export function CrowFigure({ transform, open = false }: { transform?: string; open?: boolean }) {
  return (
    <g
      {...(transform === undefined ? {} : { transform })}
      stroke="var(--figure-steel)"
      strokeWidth={WEIGHT}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path fill="none" strokeWidth="2" d="M-6-9-8 0h5M0-8v8h5M5-9 8 0h5" />
      <path
        fill="var(--figure-ink)"
        d="M-30-6C-25-15-20-22-12-26-6-29 0-29 4-31 5-38 11-42 18-40 22-39 24-36 24-33 24-22 17-9 2-8-6-7.5-12-9-17-7L-30-1-26-6Z"
      />
      <path fill="none" strokeWidth="2" d="M-13-17C-7-13 2-13 8-19M-9-12C-4-9.5 3-10 7-13" />
      {open ? (
        <path fill="var(--figure-gold)" stroke="none" d="M23.5-37 36-37.5 24.5-33.5ZM24-32.5 33-28.5 22.5-29.5Z" />
      ) : (
        <path fill="var(--figure-gold)" stroke="none" d="M23.5-37.5 36-32.5 23.5-30Z" />
      )}
      <circle cx="17.5" cy="-34.5" r="2" fill="var(--figure-gold)" stroke="none" />
    </g>
  )
}
