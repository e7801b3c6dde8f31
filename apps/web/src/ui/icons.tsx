import type { ReactNode } from 'react'

interface IconProps {
  /** Pixels at the default text size. */
  size?: number
  className?: string | undefined
}

/**
 * All icons: a grid of 24, one stroke width of 1.75, straight cuts. They are decorative: the text
 * beside them has the meaning.
 */
function Icon({ size = 20, className, children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      className={className}
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeMiterlimit="10"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

const drawn = (path: string) =>
  function StrokeIcon(props: IconProps) {
    return (
      <Icon {...props}>
        <path d={path} />
      </Icon>
    )
  }

export const SearchIcon = drawn('M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.2 15.2 21 21')
export const MenuIcon = drawn('M3 6h18M3 12h18M3 18h12')
export const SlidersIcon = drawn(
  'M3 7h9.5M17.5 7H21M15 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM3 17h3.5M11.5 17H21M9 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
)
export const CloseIcon = drawn('m5 5 14 14M19 5 5 19')
export const ImageIcon = drawn(
  'M3 4.5h18v15H3zM3.5 17l5.5-6 4.5 5 2.5-2.5 4.5 4.5M16 7.75a1.25 1.25 0 1 0 0 2.5 1.25 1.25 0 0 0 0-2.5Z',
)
export const FlameIcon = drawn(
  'M12.5 2.5c.4 3.3-1.4 4.9-3.1 6.8C7.7 11.1 6 12.9 6 15.6A6 6 0 0 0 12 21.5a6 6 0 0 0 6-6.1c0-2.9-1.5-4.6-2.5-6.2-.2 1.5-.8 2.3-1.7 2.8.5-3.4-.1-6.7-1.3-9.5ZM12 21.5c-1.7 0-2.8-1.3-2.8-2.9 0-1.8 1.5-2.6 2.6-4.4 1.6 1.3 3 2.6 3 4.4 0 1.6-1.1 2.9-2.8 2.9Z',
)
export const SendIcon = drawn('M3.5 4.5 21 12 3.5 19.5l3-7.5-3-7.5ZM6.5 12H21')
export const CheckIcon = drawn('m4.5 12.5 5 5L20 6.5')
export const PlusIcon = drawn('M12 4v16M4 12h16')
export const MinusIcon = drawn('M4 12h16')
export const HomeIcon = drawn('M2.5 11.5 12 4l9.5 7.5M5.5 9.5v10.5h13V9.5M10 20v-6h4v6')
export const ListIcon = drawn('M8 6h13M8 12h13M8 18h13M3 6h2M3 12h2M3 18h2')
export const GridIcon = drawn('M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z')
export const BookIcon = drawn(
  'M12 6.5C10 5 7 4.5 3.5 4.5v14c3.5 0 6.5.5 8.5 2 2-1.5 5-2 8.5-2v-14c-3.5 0-6.5.5-8.5 2ZM12 6.5v14',
)
/** A bound notebook with lines of writing. */
export const NotebookIcon = drawn('M5 3.5h14v17H5zM9 3.5v17M12 8.5h4M12 12.5h4M3 7h4M3 12h4M3 17h4')
export const StarIcon = drawn('M12 3.5 14.6 9l6 .8-4.4 4.2 1.1 6L12 17.1 6.7 20l1.1-6L3.4 9.8l6-.8L12 3.5Z')
export const FlagIcon = drawn('M5 21.5V3.5h13l-3 4.5 3 4.5H5')
export const RetryIcon = drawn('M19.5 12a7.5 7.5 0 1 1-2.3-5.4M17.7 2.5v4.5h-4.5')
export const TrashIcon = drawn('M4 6.5h16M9 6V3.5h6V6M6 6.5l1 14h10l1-14M10 10.5v6M14 10.5v6')
export const ExternalIcon = drawn('M10 5H4.5v14.5H19V14M13.5 4h6.5v6.5M20 4l-9 9')
export const UserIcon = drawn('M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 21c.5-4.5 3.5-6.5 8-6.5s7.5 2 8 6.5')
export const KeyIcon = drawn(
  'M8 11.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM11.2 12.8 20 4M15.5 8.5l3.5 3.5M18.5 5.5l2.5 2.5',
)
export const ArrowDownIcon = drawn('M12 4v15.5M5.5 13.5l6.5 6.5 6.5-6.5')
export const ScrollIcon = drawn('M6 4h13v4H6zM6 16h13v4H6zM4 4v4M4 16v4M21 4v4M21 16v4M8 8v8M17 8v8')
export const EyeIcon = drawn(
  'M2 12c2.8-4.7 6.1-7 10-7s7.2 2.3 10 7c-2.8 4.7-6.1 7-10 7s-7.2-2.3-10-7ZM12 8.75a3.25 3.25 0 1 0 0 6.5 3.25 3.25 0 0 0 0-6.5Z',
)
export const EyeShutIcon = drawn(
  'M2.5 10c2.6 3.6 5.8 5.5 9.5 5.5s6.9-1.9 9.5-5.5M5 13l-2 3M9.5 15.2 8.7 19M14.5 15.2l.8 3.8M19 13l2 3',
)
export const PencilIcon = drawn('M4 20l1-4.5L16.5 4 20 7.5 8.5 19 4 20ZM14 6.5l3.5 3.5')
export const LeaveIcon = drawn('M14 4H4.5v16H14M10 12h11M17 8l4 4-4 4')
export const DeviceIcon = drawn('M3 5h18v11.5H3zM8.5 20.5h7M12 16.5v4')
export const AlertIcon = drawn('M12 3.5 22 20.5H2L12 3.5ZM12 10v5M12 16.5v2')
export const InfoIcon = drawn('M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 11v6M12 7v2')

const chevrons = { up: 'm5 15 7-7 7 7', down: 'm5 9 7 7 7-7', left: 'm15 5-7 7 7 7', right: 'm9 5 7 7-7 7' }

export function ChevronIcon({ direction = 'right', ...props }: IconProps & { direction?: keyof typeof chevrons }) {
  return (
    <Icon {...props}>
      <path d={chevrons[direction]} />
    </Icon>
  )
}
