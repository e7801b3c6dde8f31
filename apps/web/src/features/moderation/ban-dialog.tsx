import type { BanKind, BanPreview, BanTarget, BanTerms, BanScope as Scope } from '@shinobi/contract/bans'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { LOOK_BACK_DAYS } from '@shinobi/contract/limits'
import { MODERATION_REASON } from '@shinobi/contract/staff-limits'
import type { RuleKey } from '@shinobi/contract/rules'
import { may } from '@shinobi/contract/permissions'
import { countGraphemes } from '@shinobi/contract/text'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useRequest } from '../../lib/use-request.ts'
import { useMember } from '../accounts/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { SomeOf } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { FormFields } from '../../ui/form-fields.tsx'
import { LineField } from '../../ui/line-field.tsx'
import { FormProblem, Notice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { banPreviewQuery, createBan } from './api.ts'
import styles from './ban-dialog.module.css'
import { BAN_KINDS as BAN_LABELS, BanEnd, BanScope } from './ban-words.tsx'
import {
  BAN_HOURS,
  BAN_KINDS,
  findBanProblems,
  hitBy,
  hoursOf,
  toTerms,
  usualKinds,
  type BanDraft,
} from './ban-form.ts'
import { NoteField, RuleField } from './rule-fields.tsx'
import { lastRule, rememberRule } from './rules.ts'

/** Where the target wrote: the scopes to which a ban can be limited. */
export interface BanPlace {
  readonly threadId: string
  readonly threadTitle: string
  readonly categoryId: string
  /** Its name. */
  readonly category: string
}

interface BanDialogProps {
  open: boolean
  onClose: () => void
  /** The writer of a post, or a member. */
  target: BanTarget
  /** The displayed name of the target. */
  who: string
  /** Undefined for a member from a list: the ban then applies to the whole board. */
  place?: BanPlace | undefined
  /**
   * When given, it applies the ban (together with the rule by which the post is removed) and closes
   * the dialog; what it throws is shown. Else the dialog applies the ban, and calls `onBanned`.
   */
  onBan?: (terms: BanTerms, rule: RuleKey) => Promise<void>
  onBanned?: () => void
}

/** Bans a writer: by which means, where and for how long. Shows who else would be affected. */
export function BanDialog({ open, onClose, ...rest }: BanDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="書き込みを制限">
      <BanForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

/** The preview of affected visitors is loaded before anything can be chosen. */
function BanForm(props: Omit<BanDialogProps, 'open'>) {
  const { data: preview, isError, refetch } = useQuery(banPreviewQuery(props.target))
  if (preview !== undefined) return <BanFields preview={preview} {...props} />
  return isError ? (
    <ErrorBox onRetry={() => void refetch()} />
  ) : (
    <div className={styles['waiting']}>
      <Spinner label="確かめています" />
    </div>
  )
}

type BanFieldsProps = Omit<BanDialogProps, 'open'> & { preview: BanPreview }

function BanFields({ preview, target, who, place, onClose, onBan, onBanned }: BanFieldsProps) {
  const mayBanFromBoard = may(useMember(), 'banFromBoard')
  const [draft, setDraft] = useState<Omit<BanDraft, 'on'> & { on: ReadonlySet<BanKind> | null }>({
    on: null,
    scope: mayBanFromBoard ? 'site' : 'category',
    hours: undefined,
    reason: '',
    note: '',
  })
  const [rule, setRule] = useState<RuleKey>(lastRule)
  const [tries, setTries] = useState(0)
  const { busy, problem, complain, send } = useRequest()
  const reason = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // On touch screens no focus: the virtual keyboard would cover the first choices.
    if (matchMedia('(pointer: fine)').matches) reason.current?.focus()
  }, [])

  const filled: BanDraft = { ...draft, on: draft.on ?? usualKinds(preview) }
  const update = (patch: Partial<BanDraft>) => {
    complain(null)
    setDraft((before) => ({ ...before, ...patch }))
  }
  const problems = findBanProblems(filled)
  const errors = tries > 0 ? problems : { on: null, reason: null, note: null }
  const submit = () => {
    setTries((before) => before + 1)
    if (Object.values(problems).some((found) => found !== null)) return
    void send(async () => {
      if (onBan !== undefined) {
        rememberRule(rule)
        return onBan(toTerms(filled), rule)
      }
      const scopeId = { site: null, category: place?.categoryId ?? null, thread: place?.threadId ?? null }[filled.scope]
      await createBan({ ...toTerms(filled), scopeId, target })
      onBanned?.()
      onClose()
    })
  }
  const kinds = BAN_KINDS.map(({ kind, label, hint }) => {
    const one = preview.kinds.find((known) => known.kind === kind)
    return one?.possible === true
      ? { value: kind, label, hint, aside: <span className={styles['posters']}>{one.posters}人</span> }
      : { value: kind, label, hint: 'この相手には使えません。', disabled: true }
  })
  const scopes: { value: Scope; label: string }[] = [
    ...(mayBanFromBoard ? [{ value: 'site' as const, label: '板全体' }] : []),
    ...(place === undefined
      ? []
      : [
          { value: 'category' as const, label: `カテゴリ「${categoryLabel(place.category)}」` },
          { value: 'thread' as const, label: 'このスレッド' },
        ]),
  ]
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <FormFields tries={tries}>
        <p className={styles['who']}>
          <b>{who}</b> の書き込みを制限します。読むことは制限しません。
        </p>
        {preview.standing.length > 0 && (
          <Notice tone="info">
            すでに制限中です。
            <ul>
              {preview.standing.map((ban) => (
                <li key={ban._id}>
                  {BAN_LABELS[ban.kind]}・<BanScope ban={ban} />・<BanEnd ban={ban} />
                </li>
              ))}
            </ul>
          </Notice>
        )}
        <SomeOf
          legend="対象"
          name="kinds"
          options={kinds}
          values={filled.on}
          invalid={errors.on !== null}
          onChange={(on) => update({ on })}
        />
        <div className={styles['hit']} role="status" data-wrong={errors.on !== null}>
          <p>
            直近{LOOK_BACK_DAYS}日間に書き込んだ<b>{hitBy(preview, filled.on)}人</b>に影響します。
          </p>
          {errors.on !== null && <p className={styles['wrong']}>{errors.on}</p>}
        </div>
        <div className={styles['pair']}>
          <SelectField label="範囲" options={scopes} value={filled.scope} onChange={(scope) => update({ scope })} />
          <SelectField
            label="期間"
            options={BAN_HOURS}
            value={hoursOf(filled)}
            onChange={(hours) => update({ hours })}
          />
        </div>
        {onBan !== undefined && (
          <RuleField hint="この書き込みは削除され、公開の記録に載ります。" value={rule} onChange={setRule} />
        )}
        <LineField
          label="理由"
          required
          hint="制限された本人に表示されます。"
          error={errors.reason}
          counter={{ length: countGraphemes(filled.reason.trim()), max: MODERATION_REASON.max }}
          ref={reason}
          value={filled.reason}
          onChange={(reason) => update({ reason })}
        />
        <NoteField value={filled.note} error={errors.note} onChange={(note) => update({ note })} />
      </FormFields>
      <div className={styles['buttons']}>
        <Button onClick={onClose}>キャンセル</Button>
        <Button type="submit" variant="danger" busy={busy}>
          制限する
        </Button>
      </div>
      {problem !== null && <FormProblem>{problem}</FormProblem>}
    </form>
  )
}
