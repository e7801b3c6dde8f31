import type { Post } from '@shinobi/contract/posts'
import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { canHash } from '../hiding/pictures.ts'
import { RuleForm, type Candidate } from '../hiding/rule-form.tsx'
import { describeRule, KIND_LABELS } from '../hiding/rules.ts'
import { hostsOf, writerCandidates } from './hideable.ts'

export interface HideDialogProps {
  post: Post
  open: boolean
  onClose: () => void
}

/** Hides what a post has in common with others: the name, a link, the picture, a word. */
export function HideDialog({ post, open, onClose }: HideDialogProps) {
  const [candidates] = useState(() => candidatesOf(post))
  return (
    <Dialog open={open} onClose={onClose} title={`${post.number}の書き込みをNGに入れる`}>
      <RuleForm candidates={candidates} threadId={post.threadId} onAdded={onClose} />
    </Dialog>
  )
}

function candidatesOf(post: Post): readonly Candidate[] {
  const picture = post.thumbnailUrl ?? post.imageUrl
  return [
    ...writerCandidates(post).map((writer) => ({ ...writer, label: describeRule(writer) })),
    ...hostsOf(post).map((host) => ({
      kind: 'domain' as const,
      label: `${KIND_LABELS.domain}「${host}」`,
      text: host,
    })),
    ...(picture !== null && canHash() ? [{ kind: 'image' as const, label: 'この画像', text: picture }] : []),
    { kind: 'word', label: KIND_LABELS.word, text: null },
    { kind: 'pattern', label: KIND_LABELS.pattern, text: null },
  ]
}
