import { stageOf } from '@shinobi/contract/thread-life'
import type { ThreadItem } from '@shinobi/contract/threads'
import { Seal } from '../../ui/seal.tsx'

/** まもなく完走 from 95 % of the limit on, 過去ログ once the thread is closed. */
export function LifeSeal({ of }: { of: ThreadItem }) {
  const stage = stageOf(of)
  if (stage === 'past') return <Seal tone="teal">過去ログ</Seal>
  return stage === 'ending' ? <Seal tone="gold">まもなく完走</Seal> : null
}
