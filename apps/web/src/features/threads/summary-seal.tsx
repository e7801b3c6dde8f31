import type { ThreadItem } from '@shinobi/contract/threads'
import { Seal, Tag } from '../../ui/seal.tsx'

/**
 * Marks how the opening post of a news thread was made. Only machine-written text has the seal; the
 * other marks are less prominent.
 */
export function SummarySeal({ of: { aiGenerated, summary } }: { of: Pick<ThreadItem, 'aiGenerated' | 'summary'> }) {
  if (aiGenerated) return <Seal>AI要約</Seal>
  if (summary === 'extractive') return <Tag>抜粋要約</Tag>
  return summary === 'headline' ? <Tag>見出しのみ</Tag> : null
}
