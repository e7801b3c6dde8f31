import { useId } from 'react'
import { CrowFigure } from './crow.tsx'
import styles from './torn-dimension.module.css'

/** The tear, left to right; both halves use it, so that their edges match. */
const tear = [
  '0 268',
  '58 252',
  '92 276',
  '150 246',
  '206 262',
  '238 232',
  '300 254',
  '342 226',
  '392 246',
  '452 208',
  '486 232',
  '540 204',
  '588 222',
  '640 188',
  '702 212',
  '748 186',
  '800 196',
]
const TEAR = tear.join(' ')
const UPPER = `0 0 800 0 ${tear.toReversed().join(' ')}`
const LOWER = `${TEAR} 800 480 0 480`

/**
 * 次元崩壊: a page of the board, torn across its title, the lower half shifted and another night sky
 * behind it. `title` is part of the drawing and hidden from screen readers: the page has its own
 * heading.
 */
export function TornDimension({ title, className }: { title: string; className?: string | undefined }) {
  const id = useId()
  return (
    <svg className={className} viewBox="-8 -34 862 578" aria-hidden="true" focusable="false">
      <clipPath id={`${id}u`}>
        <polygon points={UPPER} />
      </clipPath>
      <clipPath id={`${id}l`}>
        <polygon points={LOWER} />
      </clipPath>

      {/* The background behind the tear: stars and a second moon. */}
      <path fill="var(--beyond)" d="M6 250 800 170 832 236 20 320Z" />
      <g fill="var(--stars)">
        <path d="M60 284h3v3h-3zM132 270h2v2h-2zM260 266h3v3h-3zM330 252h2v2h-2zM430 246h2v2h-2zM520 232h3v3h-3zM610 228h2v2h-2zM694 222h2v2h-2zM760 214h3v3h-3z" />
      </g>

      <g className={styles['lower']}>
        <g transform="rotate(2.6 60 480) translate(26 26)">
          <polygon
            points={LOWER}
            fill="none"
            stroke="var(--stars)"
            strokeWidth="5"
            strokeLinejoin="bevel"
            clipPath={`url(#${id}l)`}
          />
          <g clipPath={`url(#${id}l)`} transform="translate(0 2.5)">
            <Page title={title} />
          </g>
        </g>
      </g>
      <g>
        <g clipPath={`url(#${id}u)`} transform="translate(0 -2.5)">
          <Page title={title} />
        </g>
        <polyline points={TEAR} fill="none" stroke="var(--stars)" strokeWidth="2.5" strokeLinejoin="bevel" />
      </g>

      <g className={styles['shards']} fill="var(--ink2)" stroke="var(--edge)" strokeWidth="1.5">
        <path d="M120 300 146 290 138 316ZM388 276 410 268 416 288 396 294ZM664 240 690 232 680 258ZM812 250 830 262 808 272Z" />
      </g>
      <g className={styles['crow']}>
        <CrowFigure transform="translate(606 2) scale(.95)" open />
      </g>
    </svg>
  )
}

/** A page of the board in miniature: night, ridge, title, lines. */
function Page({ title }: { title: string }) {
  return (
    <>
      <path fill="var(--ink1)" stroke="var(--edge)" strokeWidth="2" d="M1 1H799V479H1Z" />
      <path fill="var(--sky-foot)" d="M2 2H798V74H2Z" />
      <circle cx="300" cy="40" r="24" fill="var(--moon)" />
      <path
        fill="var(--ink1)"
        d="M2 62 40 56 66 64 118 46 150 60 196 50 236 62 280 44 330 60 372 52 410 64 470 40 512 58 560 50 610 62 664 44 700 58 744 48 798 60V76H2Z"
      />
      <path fill="var(--vermilion)" d="M24 18H56V50H24Z" />
      <text x="400" y="300" textAnchor="middle" className={styles['title']}>
        {title}
      </text>
      <g stroke="var(--line)" strokeWidth="8">
        <path d="M60 120H420M60 146H280M60 374H620M60 404H480M60 434H560" />
      </g>
      <path stroke="var(--line)" strokeWidth="2" d="M60 344H740" />
      <path fill="var(--teal-deep)" d="M604 112H740V152H604Z" />
    </>
  )
}
