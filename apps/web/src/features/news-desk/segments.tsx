import { Link } from 'react-router'
import toolbar from '../admin/toolbar.module.css'

interface SegmentsProps {
  tab: string
  /** The first is shown without a choice. */
  options: readonly { value: string; label: string }[]
  value: string
}

/** Links that select which stories a tab shows. */
export const Segments = ({ tab, options, value }: SegmentsProps) => (
  <div className={toolbar['toolbar']}>
    <nav className={toolbar['segments']} aria-label="表示する記事">
      {options.map((option, index) => (
        <Link
          key={option.value}
          to={index === 0 ? `?tab=${tab}` : `?tab=${tab}&show=${option.value}`}
          className={toolbar['segment']}
          {...(option.value === value && { 'aria-current': true })}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  </div>
)
