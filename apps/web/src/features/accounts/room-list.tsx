import type { Profile } from '@shinobi/contract/accounts'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { EmptyState } from '../../ui/empty.tsx'
import { ProfileSection } from './profile-section.tsx'
import styles from './room-list.module.css'

/**
 * The threads that the member has posted in, where the profile has both a room and rooms
 * (docs/product.md#profile).
 */
export function RoomList({ room, rooms }: Pick<Profile, 'room' | 'rooms'>) {
  if (room === null || rooms.length === 0) {
    return (
      <EmptyState title="まだ書き込んだスレッドはありません。">
        <p>スレッドに書き込むと、ここに並びます。</p>
        <Link to={paths.home}>スレッドを探す</Link>
      </EmptyState>
    )
  }
  return (
    <ProfileSection id="rooms" title="プロフィール情報">
      <h3 className={styles['title']}>書き込んだスレッド</h3>
      <ol className={styles['list']}>
        {rooms.map(({ id, name }) => (
          <li key={id}>
            <Link to={paths.thread(id)} className={styles['room']}>
              {name}
            </Link>
          </li>
        ))}
      </ol>
    </ProfileSection>
  )
}
