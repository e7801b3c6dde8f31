import type { ReactNode } from 'react'
import { CrowFigure } from './crow.tsx'

export type NinjaPose = 'welcome' | 'proud' | 'empty' | 'error' | 'offline'

const INK = 'var(--figure-ink)'
const CLOTH = 'var(--figure-cloth)'
const CLOTH_LIGHT = 'var(--figure-sash)'
const LINE = 'var(--figure-line)'
const FACE = 'var(--figure-face)'
const SCARF = 'var(--figure-scarf)'

/** The ninja of the board, with his crow. Decorative: the text beside him has the meaning. */
export function Ninja({ pose, size, className }: { pose: NinjaPose; size?: number; className?: string | undefined }) {
  const Pose = poses[pose]
  return (
    <svg
      className={className}
      {...(size === undefined ? {} : { width: size, height: (size * 14) / 16 })}
      viewBox="0 0 160 140"
      fill="none"
      stroke={LINE}
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <Pose />
    </svg>
  )
}

/** A sleeve or leg: the outline is the same path with a wider stroke, underneath. */
function Limb({ d, width = 13 }: { d: string; width?: number }) {
  return (
    <>
      <path d={d} strokeWidth={width} />
      <path d={d} strokeWidth={width - 5} stroke={CLOTH} />
    </>
  )
}

const Hand = ({ x, y }: { x: number; y: number }) => (
  <circle cx={x} cy={y} r="5" fill={FACE} stroke={INK} strokeWidth="1" />
)

/** Hood, forehead plate and the slit for the eyes; `children` are the eyes, drawn around (0, 3). */
function Head({ transform, children }: { transform: string; children: ReactNode }) {
  return (
    <g transform={transform}>
      <path fill={CLOTH_LIGHT} d="M28-14C38-20 46-16 54-22 52-14 46-8 34-7M29-10C37-8 42-2 50-1 43 5 36 2 28-5" />
      <path fill={CLOTH} d="M-33 3C-34-20-19-35 0-35S34-20 33 3C32 22 18 31 0 31S-32 22-33 3Z" />
      <path fill={CLOTH_LIGHT} d="M-30.5-14C-20-19 20-19 30.5-14L32-5C20-10-20-10-32-5Z" />
      <path fill="var(--figure-steel)" d="M-15-19C-6-21 6-21 15-19L16-8C6-10-6-10-16-8Z" />
      <path stroke={INK} strokeWidth="2" d="M-4-15.5 4-15M0-18V-12" />
      <path fill={FACE} d="M-26-1C-16-5 16-5 26-1 28 6 25 13 18 14.5 8 16.5-8 16.5-18 14.5-25 13-28 6-26-1Z" />
      <g stroke={INK} strokeWidth="3">
        {children}
      </g>
    </g>
  )
}

const Ground = ({ d = 'M14 130H60M68 130H146' }: { d?: string }) => <path d={d} stroke="var(--edge)" strokeWidth="2" />

/** Standing body from the neck at (80, 76) to the ground. */
function Body() {
  return (
    <>
      <Limb d="M70 112V124M90 112V124" width={15} />
      <path fill={INK} d="M61 124H77V130H59ZM83 124H99L101 130H83Z" />
      <path fill={CLOTH} d="M62 74C56 88 53 100 54 113 70 118 90 118 106 113 107 100 104 88 98 74Z" />
      <path d="M68 78 84 100M92 78 72 104" />
      <path fill={CLOTH_LIGHT} d="M54.5 100C70 105 90 105 105.5 100L106 108C90 113 70 113 54 108Z" />
    </>
  )
}

const Scarf = ({ tail }: { tail: string }) => (
  <g fill={SCARF} stroke={INK} strokeWidth="1.5">
    <path d={tail} />
    <path d="M56 70C66 80 94 80 104 70L108 78C96 90 64 90 52 78Z" />
  </g>
)

function Welcome() {
  return (
    <>
      <Ground />
      <CrowFigure transform="translate(27 130) scale(.78)" open />
      <Body />
      <Limb d="M60 86C50 92 48 100 56 106" />
      <Hand x={58} y={107} />
      <Limb d="M100 84C116 84 127 76 128 61" />
      {/* The half-open scroll in his raised hand. */}
      <g transform="rotate(6 130 40)">
        <path fill={FACE} stroke={INK} d="M118 20H142V52H118Z" />
        <path stroke="var(--edge)" strokeWidth="2" d="M124 29H136M124 36H136M124 43H132" />
        <path fill={SCARF} stroke={INK} strokeWidth="1.5" d="M114 15H146V22H114ZM114 50H146V57H114Z" />
      </g>
      <Hand x={127} y={60} />
      <Scarf tail="M58 76C44 70 36 82 20 74 26 84 34 84 40 86 48 88 54 88 60 84Z" />
      <Head transform="translate(80 44) scale(-1 1)">
        <path d="M-15 6C-13 1-8 1-6 6M6 6C8 1 13 1 15 6" />
      </Head>
    </>
  )
}

/** Arms crossed, feet apart, the scarf in the wind; placed on top of another element. */
function Proud() {
  return (
    <>
      <g fill={SCARF} stroke={INK} strokeWidth="1.5">
        <path d="M62 74C46 60 34 74 14 60 2 52-8 56-22 46-20 60-8 70 6 73 26 77 40 86 60 82Z" />
        <path d="M60 78C46 76 38 91 20 87 8 84-2 90-14 84-8 97 8 102 20 99 36 95 48 93 62 86Z" />
      </g>
      {/* The sword on his back. */}
      <path d="M98 82 127 42" strokeWidth="9" />
      <path d="M98 82 127 42" strokeWidth="4" stroke={INK} />
      <path d="M109 54 121 63" strokeWidth="7" />
      <path d="M109 54 121 63" strokeWidth="2.5" stroke="var(--figure-gold)" />
      <Limb d="M71 110C68 116 64 120 62 124M89 110C92 116 96 120 98 124" width={15} />
      <path fill={INK} d="M53 124H70V130H50ZM90 124H107L110 130H90Z" />
      <path fill={CLOTH} d="M60 74C54 86 52 100 54 113 70 118 90 118 106 113 108 100 106 86 100 74Z" />
      <path fill={CLOTH_LIGHT} d="M54 104C70 109 90 109 106 104L106 112C90 117 70 117 54 112Z" />
      <path fill={CLOTH} d="M60 80C46 84 42 98 54 103 68 106 92 106 106 103 118 98 114 84 100 80Z" />
      <path d="M56 88C66 92 80 94 94 89M104 88C100 94 84 99 66 97" />
      <Hand x={97} y={89} />
      <g fill={SCARF} stroke={INK} strokeWidth="1.5">
        <path d="M56 70C66 80 94 80 104 70L108 78C96 90 64 90 52 78Z" />
      </g>
      <Head transform="translate(80 43) scale(-1 1)">
        <path d="M-19 1.5-8 4.5M8 4.5 19 1.5" strokeWidth="2.5" />
        <circle cx="-12.5" cy="8" r="2.4" fill={INK} stroke="none" />
        <circle cx="12.5" cy="8" r="2.4" fill={INK} stroke="none" />
      </Head>
    </>
  )
}

function Empty() {
  return (
    <>
      <Ground d="M8 130H26M34 130H152" />
      {/* Kneeling before an unrolled, empty scroll. */}
      <path fill={CLOTH} d="M30 128C28 114 38 104 54 104H84C98 106 104 116 102 128Z" />
      <path d="M66 128C66 118 72 112 82 112" />
      <path fill={CLOTH} d="M46 78C38 90 36 102 40 114 54 118 74 118 86 112 88 100 86 88 80 78Z" />
      <path d="M52 82 70 102M76 82 58 106" />
      <path fill={CLOTH_LIGHT} d="M38 102C52 107 72 107 86 102L86 110C72 115 52 115 39 110Z" />
      <Limb d="M44 88C38 98 44 110 56 112" />
      <Limb d="M80 88C90 96 88 108 80 112" />
      <Hand x={58} y={113} />
      <Hand x={79} y={114} />
      <g transform="translate(-16 2)">
        <Scarf tail="M58 76C46 72 40 84 26 78 31 88 40 88 46 88 52 88 56 88 60 84Z" />
      </g>
      <path fill={FACE} stroke={INK} d="M94 124 140 124 148 133 90 133Z" />
      <path fill={SCARF} stroke={INK} strokeWidth="1.5" d="M138 120H150V134H138ZM86 121H95V134H86Z" />
      <CrowFigure transform="translate(122 121) scale(-.78 .78)" />
      <Head transform="translate(64 47) rotate(7) scale(-1 1)">
        <circle cx="-13" cy="7.5" r="2.2" fill={INK} stroke="none" />
        <circle cx="7" cy="7.5" r="2.2" fill={INK} stroke="none" />
        <path d="M-18 1-10-1M5-1 13 1" strokeWidth="2" />
      </Head>
    </>
  )
}

function Failed() {
  return (
    <>
      <Ground d="M10 130H50M58 130H152" />
      {/* Fallen on his seat, legs out, his star broken in two. */}
      <path fill={CLOTH} d="M52 82C46 96 46 112 50 124H98C102 112 102 96 96 82Z" />
      <path d="M62 84 80 106M90 84 68 110" />
      <path fill={CLOTH_LIGHT} d="M48 108C64 113 84 113 100 108L100 117C84 122 64 122 48.5 117Z" />
      <Limb d="M66 122 40 122" width={16} />
      <Limb d="M82 122 110 122" width={16} />
      <path fill={INK} d="M40 113C34 113 32 118 33 130H42ZM110 113C116 113 118 118 117 130H108Z" />
      <Limb d="M52 90C42 98 38 108 36 114" />
      <Limb d="M96 90C106 98 110 108 112 112" />
      <Scarf tail="M100 76C114 72 116 84 130 79 125 90 114 90 100 86Z" />
      <g fill="var(--figure-steel)" stroke={INK} strokeWidth="1.5">
        <path d="M20 116 23 123 32 126 22 130 12 130 16 124Z" />
      </g>
      <Head transform="translate(76 50) rotate(-8)">
        <path d="M-16 1-8 5-16 9M16 1 8 5 16 9" />
      </Head>
      <CrowFigure transform="translate(141 130) scale(-.62 .62)" open />
      {/* Stars before his eyes. */}
      <g fill="var(--figure-gold)" stroke={INK} strokeWidth="1">
        <path d="M40 6 42 11 47 13 42 15 40 20 38 15 33 13 38 11ZM70-1 71.5 3 75.5 4.5 71.5 6 70 10 68.5 6 64.5 4.5 68.5 3ZM104 4 106 9 111 11 106 13 104 18 102 13 97 11 102 9Z" />
      </g>
    </>
  )
}

function Offline() {
  return (
    <>
      <Ground />
      <Body />
      {/* A cup telephone with a cut string; the crow sits at the other end. */}
      <Limb d="M60 86C48 92 46 104 54 108" />
      <Hand x={56} y={108} />
      <CrowFigure transform="translate(138 130) scale(-.62 .62)" />
      <path stroke="var(--edge)" strokeWidth="1.5" d="M116 119C124 108 112 104 120 94M120 94 117 91M120 94 123.5 92" />
      <path fill={FACE} stroke={INK} strokeWidth="1.5" d="M109 118H123L121 130H111Z" />
      <Scarf tail="M58 76C46 70 38 84 24 74 26 86 34 88 42 88 50 90 54 88 60 84Z" />
      <Head transform="translate(78 44) rotate(4) scale(-1 1)">
        <circle cx="-12" cy="6" r="2.4" fill={INK} stroke="none" />
        <circle cx="8" cy="6" r="2.4" fill={INK} stroke="none" />
        <path d="M-17-.5-10-2.5M6-2.5 13-.5" strokeWidth="2" />
      </Head>
      <path stroke="var(--edge)" strokeWidth="1.5" d="M123 50C136 56 128 70 138 78M138 78 141 75M138 78 136 82" />
      <Limb d="M99 84C114 84 122 74 117 60" />
      <path fill={FACE} stroke={INK} d="M107 41 123 45V55L107 60Z" />
      <Hand x={117} y={59} />
    </>
  )
}

const poses = { welcome: Welcome, proud: Proud, empty: Empty, error: Failed, offline: Offline }
