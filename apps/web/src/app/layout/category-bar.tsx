import { Link, useMatches } from 'react-router'
import { ButtonLink } from '../../ui/button.tsx'
import { ChevronIcon, HomeIcon, PlusIcon } from '../../ui/icons.tsx'
import { paths } from '../paths.ts'
import styles from './category-bar.module.css'

/** Over the pages of one category: home, which category this is (`label`), and the way to a new thread in it. */
export function CategoryBar({ label }: { label: string }) {
  const category = useMatches().at(-1)?.params['categoryId']
  return (
    <div className={styles['bar']}>
      <div className={`container ${styles['inner']}`}>
        <nav aria-label="現在位置" className={styles['trail']}>
          <Link to={paths.home} className={styles['home']} aria-label="トップ">
            <HomeIcon />
          </Link>
          <ChevronIcon size={14} className={styles['arrow']} />
          <p className={styles['where']}>
            <span className="visually-hidden">現在のカテゴリ: </span>
            {label}
          </p>
        </nav>
        <ButtonLink to={paths.create(category)} size="sm" icon={<PlusIcon size={16} />}>
          スレッドを作成
        </ButtonLink>
      </div>
    </div>
  )
}
