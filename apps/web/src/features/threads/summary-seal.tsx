import type { ThreadItem } from '@shinobi/contract/threads'
import { Seal, Tag } from '../../ui/seal.tsx'

/** How the opening of a news thread was made. The seal is for what a machine wrote; the others are quieter. */
export function SummarySeal({ of: { aiGenerated, summary } }: { of: Pick<ThreadItem, 'aiGenerated' | 'summary'> }) {
  if (aiGenerated) return <Seal>AI要約</Seal>
  if (summary === 'extractive') return <Tag>抜粋要約</Tag>
  return summary === 'headline' ? <Tag>見出しのみ</Tag> : null
}
