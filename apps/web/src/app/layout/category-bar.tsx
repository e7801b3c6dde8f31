import { categoryLabel } from '@shinobi/contract/category-labels'
import { Link } from 'react-router'
import { ButtonLink } from '../../ui/button.tsx'
import { ChevronIcon, HomeIcon, PlusIcon } from '../../ui/icons.tsx'
import { paths } from '../paths.ts'
import styles from './category-bar.module.css'

/**
 * Above the pages of one category, given by name: links to home and the category's list, and a
 * button for a new thread in it.
 */
export function CategoryBar({ category }: { category: string }) {
  return (
    <nav aria-label="現在位置" className={styles['bar']}>
      <div className={`container ${styles['inner']}`}>
        <div className={styles['trail']}>
          <Link to={paths.home} className={styles['home']} aria-label="トップ">
            <HomeIcon />
          </Link>
          <ChevronIcon size={14} className={styles['arrow']} />
          <Link to={paths.category(category)} className={styles['where']}>
            <span className="visually-hidden">現在のカテゴリ: </span>
            {categoryLabel(category)}
          </Link>
        </div>
        <ButtonLink to={paths.create(category)} size="sm" icon={<PlusIcon size={16} />} data-creates>
          スレッドを作成
        </ButtonLink>
      </div>
    </nav>
  )
}
