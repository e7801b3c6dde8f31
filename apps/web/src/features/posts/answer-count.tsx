import { inFigures } from '@shinobi/contract/in-figures'
import styles from './answer-count.module.css'
import { useDepth, usePopovers } from './popover-context.ts'

/** 返信 n, the number of answers to a post; a press shows them, each with its own answers. */
export function AnswerCount({ number, count }: { number: number; count: number }) {
  const popovers = usePopovers()
  const depth = useDepth()
  return (
    <button
      type="button"
      className={styles['count']}
      data-popover-anchor=""
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => popovers.open(currentTarget, { answersTo: number }, depth)}
    >
      返信 {inFigures(count)}
      <span className="visually-hidden">{`件（${number}への返信を読む）`}</span>
    </button>
  )
}
