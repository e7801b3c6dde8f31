import { SearchIcon } from '../../ui/icons.tsx'
import styles from './thread-dock.module.css'

/** Opens the search in the thread, which gives the focus back to it. */
export function FindButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      data-find-opener=""
      data-key="/"
      title="スレ内を検索"
      className={styles['find']}
      onClick={onClick}
    >
      <SearchIcon size={18} />
      <span className="visually-hidden">スレ内を検索</span>
    </button>
  )
}

/** Gives the focus back when the search closes. */
export const focusFindButton = (): void => document.querySelector<HTMLElement>('[data-find-opener]')?.focus()
