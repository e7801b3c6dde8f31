import { messages } from '@shinobi/contract/messages'
import type { ReactNode } from 'react'
import { useRequest } from '../../lib/use-request.ts'
import { Button } from '../../ui/button.tsx'
import { Seal } from '../../ui/seal.tsx'
import { forgetHeld, withdrawHeld, type HeldItem } from './held.ts'

interface HeldStateProps {
  item: HeldItem
  /** Puts the text back into its form: this browser alone has it. */
  onRewrite: (item: HeldItem) => void
  /** What else there is to say while it waits. */
  children?: ReactNode
}

/** How an own held post or thread fares, and what its writer can do with it. */
export function HeldState({ item, onRewrite, children }: HeldStateProps) {
  const { busy, problem, send } = useRequest()
  const { id, kind, status } = item
  if (status !== 'waiting') {
    const expired = kind === 'post' ? messages.held_post_expired : messages.held_thread_expired
    return (
      <>
        <Seal tone="vermilion">{status === 'rejected' ? '却下' : '公開できず'}</Seal>
        <span>{status === 'rejected' ? messages.held_rejected : expired}</span>
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            forgetHeld(id)
            onRewrite(item)
          }}
        >
          書き直す
        </Button>
        <Button size="sm" variant="ghost" onClick={() => forgetHeld(id)}>
          閉じる
        </Button>
      </>
    )
  }
  const withdraw = () =>
    void send(async () => {
      await withdrawHeld(id)
      onRewrite(item)
    })
  return (
    <>
      <Seal tone="gold">確認待ち</Seal>
      <span>あなたにだけ見えています。{children}</span>
      <Button size="sm" variant="ghost" busy={busy} onClick={withdraw}>
        取り下げる
      </Button>
      {problem !== null && <span role="alert">{problem}</span>}
    </>
  )
}
