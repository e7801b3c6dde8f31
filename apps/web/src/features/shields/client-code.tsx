import type { AnswerOf } from '@shinobi/contract/common'
import { messages } from '@shinobi/contract/messages'
import type { makeProofCode } from '@shinobi/contract/shields'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiSend } from '../../lib/api-client.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { Button } from '../../ui/button.tsx'
import { NeedsScript } from '../../ui/needs-script.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './client-code.module.css'
import { withProof } from './with-proof.ts'

/**
 * Makes the code that lets a browser of 2ch write in raid mode; this browser does the check for it.
 */
export function ClientCode() {
  const [isProving, setProving] = useState(false)
  const make = useMutation({
    mutationFn: () => withProof(() => apiSend<AnswerOf<typeof makeProofCode>>('POST', '/api/proofs/code'), setProving),
  })
  return (
    <div className={styles['part']}>
      <NeedsScript>コードを出すにはJavaScriptが必要です。</NeedsScript>
      <Button variant="primary" busy={make.isPending} onClick={() => make.mutate()}>
        {make.data === undefined ? 'コードを出す' : '新しいコードを出す'}
      </Button>
      <div role="status">
        {isProving && <p className="meta">ブラウザで確認しています…</p>}
        {make.data !== undefined && !make.isPending && (
          <>
            <p className={styles['code']}>#{make.data.code}</p>
            <p className="meta">
              <DateTime value={make.data.endsAt} />
              まで使えます。
            </p>
          </>
        )}
      </div>
      {make.error !== null && <Notice tone="error">{make.error.message || messages.proof_failed}</Notice>}
    </div>
  )
}
