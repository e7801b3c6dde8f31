import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AccountForm } from './account-form.tsx'
import { accountsKey, verifyEmail } from './api.ts'
import styles from './forms.module.css'
import { DeadLink } from './reset-form.tsx'
import { readLinkToken, useLinkToken } from './use-link-token.ts'
import { useRequest } from '../../lib/use-request.ts'

export function VerifyForm() {
  const token = useLinkToken()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const request = useRequest()
  const { busy, send } = request
  const [done, setDone] = useState<string | null>(null)

  const submit = async () => {
    await send(async () => {
      setDone((await verifyEmail(readLinkToken())).message)
      await queryClient.invalidateQueries({ queryKey: accountsKey })
      await navigate(paths.verifyEmail, { replace: true })
    })
  }

  if (done !== null) {
    return (
      <div className={styles['text']}>
        <Notice tone="success">{done}</Notice>
        <ButtonLink to={paths.profile} variant="primary">
          プロフィールへ
        </ButtonLink>
      </div>
    )
  }
  if (token === '') return <DeadLink />
  return <AccountForm request={request} onSubmit={submit} label={busy ? '確認しています…' : 'このアドレスを確認する'} />
}
