import type { AdminPost, PostState } from '@shinobi/contract/admin'
import type { BanTarget } from '@shinobi/contract/bans'
import { messages } from '@shinobi/contract/messages'
import { may } from '@shinobi/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../app/paths.ts'
import {
  categoriesQuery,
  postsQuery,
  removePost,
  restorePost,
  useAdminId,
  useReload,
} from '../../../features/admin/api.ts'
import { FilterBar } from '../../../features/admin/filter-bar.tsx'
import { FoundList } from '../../../features/admin/found-list.tsx'
import { RemoveDialog } from '../../../features/admin/remove-dialog.tsx'
import { useResults } from '../../../features/admin/results.tsx'
import { Loaded, Screen } from '../../../features/admin/screen.tsx'
import { useAct } from '../../../features/admin/use-act.ts'
import { useFilters } from '../../../features/admin/use-filters.ts'
import { useLast } from '../../../features/admin/use-last.ts'
import { usePage } from '../../../features/admin/use-page.ts'
import { WriterDialog } from '../../../features/admin/writer-dialog.tsx'
import { BanDialog } from '../../../features/moderation/ban-dialog.tsx'
import { DateTime } from '../../../lib/date-time.tsx'
import { useMember } from '../../../features/accounts/use-session.ts'
import { NAMELESS } from '@shinobi/contract/nameless'
import { Button } from '../../../ui/button.tsx'
import { ImageIcon, RetryIcon, TrashIcon } from '../../../ui/icons.tsx'
import { Seal } from '../../../ui/seal.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import styles from './posts-page.module.css'

interface ColumnContext {
  onBan: ((post: AdminPost) => void) | null
  onLookBack: (post: AdminPost) => void
  onRemove: (post: AdminPost) => void
  onRestore: (post: AdminPost) => void
  /** The id of the post that is being restored. */
  restoring: string | null
}

const columnsOf = ({ onBan, onLookBack, onRemove, onRestore, restoring }: ColumnContext): Column<AdminPost>[] => [
  { label: 'スレッド', kind: 'head', cell: (post) => <Place post={post} /> },
  { label: '書き込んだ人', cell: (post) => <Poster post={post} /> },
  { label: '内容', kind: 'wide', cell: (post) => <Content post={post} /> },
  { label: '日時', kind: 'short', cell: ({ createdAt }) => <DateTime value={createdAt} /> },
  {
    label: '操作',
    kind: 'actions',
    cell: (post) => (
      <>
        <Button size="sm" aria-label={`${nameOf(post)}の履歴`} onClick={() => onLookBack(post)}>
          履歴
        </Button>
        {onBan !== null && (
          <Button size="sm" aria-label={`${nameOf(post)}の書き込みを制限`} onClick={() => onBan(post)}>
            制限
          </Button>
        )}
        {post.deleted ? (
          <Button
            size="sm"
            busy={restoring === post._id}
            aria-label={`${placeOf(post)}の書き込みを復元`}
            onClick={() => onRestore(post)}
          >
            復元
          </Button>
        ) : (
          <Button
            size="sm"
            variant="danger"
            icon={<TrashIcon size={16} />}
            aria-label={`${placeOf(post)}の書き込みを削除`}
            onClick={() => onRemove(post)}
          >
            削除
          </Button>
        )}
      </>
    ),
  },
]

export function PostsPage() {
  const { page } = usePage()
  const { filters } = useFilters()
  const adminId = useAdminId()
  const posts = useQuery(postsQuery(adminId, page, filters))
  const categories = useQuery(categoriesQuery(adminId)).data
  const reload = useReload('posts')
  const results = useResults(reload)
  const { say, region } = results
  const { busy: restoring, act } = useAct({ results, onChanged: reload })
  const [removing, setRemoving] = useState<AdminPost | null>(null)
  const [lookingBack, setLookingBack] = useState<AdminPost | null>(null)
  const [banning, setBanning] = useState<AdminPost | null>(null)
  const subject = useLast(removing)
  const banned = useLast(banning)
  const mayBan = may(useMember(), 'banFromBoard')

  const restore = (post: AdminPost) =>
    void act(post._id, () => restorePost(post), `${post.number}番の書き込みを復元しました。`)
  const columns = columnsOf({
    onBan: mayBan ? setBanning : null,
    onLookBack: setLookingBack,
    onRemove: setRemoving,
    onRestore: restore,
    restoring,
  })
  return (
    <Screen
      title="書き込み"
      actions={
        <Button
          size="sm"
          icon={<RetryIcon size={16} />}
          busy={posts.isFetching && !posts.isPending}
          onClick={() => void posts.refetch()}
        >
          再読み込み
        </Button>
      }
    >
      <FilterBar
        list="posts"
        words="本文の言葉"
        period="書いた日"
        writer
        categories={categories ?? []}
        states={STATES}
      />
      <Loaded query={posts}>
        {({ posts: rows, pagination }) => (
          <FoundList label="書き込み" pagination={pagination} stale={posts.isPlaceholderData}>
            <Table
              caption="書き込み"
              columns={columns}
              rows={rows}
              keyOf={({ _id }) => _id}
              stale={posts.isPlaceholderData}
            />
          </FoundList>
        )}
      </Loaded>
      <WriterDialog target={targetOf(lookingBack)} onClose={() => setLookingBack(null)} />
      <RemoveDialog
        open={removing !== null}
        title="書き込みを削除"
        question={messages.confirm_delete_post}
        subject={subject?.content}
        onClose={() => setRemoving(null)}
        onRemove={async (rule, reason) => {
          const { actionId } = await removePost(removing!, rule, reason)
          setRemoving(null)
          say(`${removing!.number}番の書き込みを削除しました。`, actionId)
          await reload()
        }}
      />
      {banned?.threadId != null && (
        <BanDialog
          open={banning !== null}
          target={{ threadId: banned.threadId._id, postId: banned._id }}
          who={nameOf(banned)}
          onClose={() => setBanning(null)}
          onBanned={() => {
            setBanning(null)
            say(`${nameOf(banned)}の書き込みを制限しました。`)
          }}
        />
      )}
      {region}
    </Screen>
  )
}

const STATES: { value: PostState; label: string }[] = [
  { value: 'folded', label: '折りたたみ中' },
  { value: 'removed', label: '削除済み' },
]

const targetOf = (post: AdminPost | null): BanTarget | null =>
  post?.threadId == null ? null : { threadId: post.threadId._id, postId: post._id }

const placeOf = ({ threadId, number }: AdminPost): string => `${threadId?.title ?? ''}の${number}番`

const Place = ({ post: { threadId, number } }: { post: AdminPost }) =>
  threadId === null ? null : (
    <Link to={`${paths.thread(threadId._id)}#${number}`}>
      {threadId.title} <span className={styles['number']}>{number}</span>
    </Link>
  )

/** A writer without a name is shown as 名無し, as in the thread. */
const nameOf = ({ userId, name }: AdminPost): string => userId?.name ?? name ?? NAMELESS

const Poster = ({ post }: { post: AdminPost }) =>
  post.userId === null ? nameOf(post) : <b className={styles['member']}>{nameOf(post)}</b>

const Content = ({ post: { content, imageUrl, folded, deleted } }: { post: AdminPost }) => (
  <div className={styles['content']}>
    {deleted && <Seal>削除</Seal>}
    {folded && <Seal tone="gold">折りたたみ</Seal>}
    {imageUrl !== null && (
      <span className={styles['image']}>
        <ImageIcon size={16} />
        <span className="visually-hidden">画像あり</span>
      </span>
    )}
    {content}
  </div>
)
