import { messages } from '@shinobi/contract/messages'
import { Seal } from '../../ui/seal.tsx'

/** Takes the place of the composer in a locked or full thread, and gives the reason. */
export function ClosedDock({ fullAt, closedByOwner }: { fullAt: number | null; closedByOwner: boolean }) {
  return fullAt === null ? (
    <p>
      <Seal>ロック</Seal>
      <span>
        {closedByOwner ? 'スレ主がこのスレッドを閉じました。' : 'このスレッドはロック（書き込み停止）されています。'}
        読むことはできますが、書き込めません。
      </span>
    </p>
  ) : (
    <p>
      <Seal tone="teal">過去ログ</Seal>
      <span>{messages.thread_full(fullAt)}</span>
    </p>
  )
}
