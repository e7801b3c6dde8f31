import type { Post } from '@shinobi/contract/posts'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { NAMELESS } from '@shinobi/contract/nameless'
import { useRequest } from '../../lib/use-request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormProblem, Notice } from '../../ui/notice.tsx'
import { removePost, undoAction } from './api.ts'
import { BanDialog, type BanPlace } from './ban-dialog.tsx'
import styles from './manage-dialog.module.css'
import { isRule, rememberRule, RULE_CHOICES } from './rules.ts'

export interface ManageDialogProps {
  post: Post
  place: BanPlace
  open: boolean
  onClose: () => void
}

/**
 * A moderator's dialog for a post in its thread: one press removes it by a rule, another restores
 * it.
 */
export function ManageDialog({ post, place, open, onClose }: ManageDialogProps) {
  const { busy, problem, send } = useRequest()
  const [removal, setRemoval] = useState<string | null>(null)
  const [banning, setBanning] = useState(false)
  const [banned, setBanned] = useState(false)
  const remove = (rule: string) => {
    if (!isRule(rule)) return
    rememberRule(rule)
    void send(async () => setRemoval((await removePost(place.threadId, post._id, rule)).actionId))
  }
  const restore = (actionId: string) =>
    void send(async () => {
      await undoAction(actionId)
      setRemoval(null)
    })
  return (
    <>
      <Dialog open={open && !banning} onClose={onClose} title="書き込みの管理">
        <div className={styles['desk']}>
          <blockquote className={styles['post']}>
            <p className={styles['meta']}>
              {post.number} <b>{post.name ?? NAMELESS}</b>
            </p>
            <p className={styles['text']}>{post.content}</p>
          </blockquote>
          {removal === null ? (
            <fieldset className={styles['rules']}>
              <legend className={styles['legend']}>次の理由で削除する</legend>
              {RULE_CHOICES.map(({ key, label }) => (
                <Button key={key} variant="danger" size="sm" busy={busy} onClick={() => remove(key)}>
                  {label}
                </Button>
              ))}
            </fieldset>
          ) : (
            <Notice tone="success">
              削除しました。
              <Button size="sm" variant="ghost" busy={busy} onClick={() => restore(removal)}>
                元に戻す
              </Button>
            </Notice>
          )}
          {banned && <Notice tone="success">{post.name ?? NAMELESS}の書き込みを制限しました。</Notice>}
          <div className={styles['ways']}>
            <Link to={paths.admin('reports')}>通報の一覧へ</Link>
            {banned ? (
              <Link to={paths.admin('bans')}>書き込みの制限の一覧へ</Link>
            ) : (
              <Button size="sm" onClick={() => setBanning(true)}>
                書き込んだ人を制限…
              </Button>
            )}
          </div>
          {problem !== null && <FormProblem>{problem}</FormProblem>}
        </div>
      </Dialog>
      <BanDialog
        open={banning}
        onClose={() => setBanning(false)}
        onBanned={() => setBanned(true)}
        target={{ threadId: post.threadId, postId: post._id }}
        who={post.name ?? NAMELESS}
        place={place}
      />
    </>
  )
}
