import { useState } from 'react'
import { inFigures } from '@shinobi/contract/in-figures'
import { Button } from '../../../ui/button.tsx'
import { LineField } from '../../../ui/line-field.tsx'
import styles from './thread-tools.module.css'

interface JumpFormProps {
  newest: number
  /** The first post that was not read; null when all were, or none is known. */
  firstUnread: number | null
  onJump: (number: number) => void
}

/** Leads to a post by its number, or to the first, the first unread and the newest one. */
export function JumpForm({ newest, firstUnread, onJump }: JumpFormProps) {
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  return (
    <form
      className={styles['jump']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const number = Number(typed.normalize('NFKC').replace(/^>>/u, ''))
        if (Number.isInteger(number) && number >= 1 && number <= newest) onJump(number)
        else setError(`1から${inFigures(newest)}までの番号を入れてください。`)
      }}
    >
      <LineField
        label="番号"
        error={error}
        className={styles['number']}
        inputMode="numeric"
        enterKeyHint="go"
        value={typed}
        onChange={(number) => {
          setTyped(number)
          setError(null)
        }}
      />
      <div className={styles['places']}>
        <Button type="submit" variant="primary">
          移動
        </Button>
        <Button onClick={() => onJump(1)}>最初</Button>
        {firstUnread !== null && <Button onClick={() => onJump(firstUnread)}>未読</Button>}
        <Button onClick={() => onJump(newest)}>最新</Button>
      </div>
    </form>
  )
}
