import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { useRememberedOrder } from './remembered-order.ts'
import { SearchForm } from './search-form.tsx'
import { ThreadList, type ThreadListProps } from './thread-list.tsx'
import styles from './thread-list-screen.module.css'

interface ThreadListScreenProps extends ThreadListProps {
  /**
   * The category's name with its image; without one it is the board's list, whose head links to the
   * form for a new thread.
   */
  title?: string
  /** Above the list. */
  above?: ReactNode
  /** Beside the list, or above it on narrow viewports. */
  sidebar: ReactNode
}

/** スレッド一覧: the same screen for the board and for a category. */
export function ThreadListScreen({ title, above, sidebar, ...list }: ThreadListScreenProps) {
  const leaves = useRememberedOrder()
  return (
    <div className={cx('container', styles['screen'], title !== undefined && styles['ofCategory'])}>
      <header className={styles['head']} data-search={list.view.search === '' ? undefined : ''}>
        <h1 className={`screen-title ${styles['heading']}`}>{title ?? 'スレッド一覧'}</h1>
        {title !== undefined && <h2 className={`meta ${styles['kind']}`}>スレッド一覧</h2>}
        <SearchForm view={list.view} />
        {title === undefined && (
          <ButtonLink to={paths.create()} icon={<PlusIcon size={18} />} className={styles['create']} data-creates>
            <span className={styles['word']}>スレッドを作成</span>
          </ButtonLink>
        )}
      </header>
      <aside className={styles['aside']} aria-label="カテゴリと急上昇">
        {sidebar}
      </aside>
      <div className={styles['main']}>
        {above}
        {leaves ? <div className={styles['leaving']} /> : <ThreadList {...list} />}
        <p className={styles['past']}>
          <Link to={paths.past(list.category ?? undefined)}>過去ログ</Link>
        </p>
      </div>
    </div>
  )
}
