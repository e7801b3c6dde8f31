import { useId, useState, type FormEvent } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { accountsKey, verifyEmail } from './api.ts'
import styles from './forms.module.css'
import { DeadLink } from './reset-form.tsx'
import { Submit } from './submit.tsx'
import { useLinkToken } from './use-link-token.ts'
import { useRequest } from './use-request.ts'

export function VerifyForm() {
  const token = useLinkToken()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { busy, problem, send } = useRequest()
  const [done, setDone] = useState<string | null>(null)
  const problemId = useId()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy || token === null) return
    void send(async () => {
      setDone((await verifyEmail(token)).message)
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
  return (
    <form className={styles['form']} method="post" noValidate onSubmit={submit}>
      <Submit busy={busy} problem={problem} problemId={problemId}>
        {busy ? '確認しています…' : 'このアドレスを確認する'}
      </Submit>
    </form>
  )
}
