import type { BanKind, BanPreview, BanScope, BanTarget, BanTerms } from '@shinobi/contract/bans'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { LOOK_BACK_DAYS, MODERATION_NOTE, MODERATION_REASON } from '@shinobi/contract/limits'
import { RULE_KEYS, RULES, type RuleKey } from '@shinobi/contract/rules'
import { countGraphemes } from '@shinobi/contract/text'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useRequest } from '../../lib/use-request.ts'
import { useMember } from '../../lib/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { banPreviewQuery, createBan } from './api.ts'
import styles from './ban-dialog.module.css'
import { BAN_HOURS, BAN_KINDS, findBanProblem, hitBy, hoursOf, toTerms, usualKinds, type BanDraft } from './ban-form.ts'
import { lastRule, rememberRule } from './rules.ts'

const RULE_OPTIONS = RULE_KEYS.map((value) => ({ value, label: RULES[value] }))

/** Where the target wrote; what a ban can be narrowed to. */
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
  /** Who that is, in words. */
  who: string
  /** None for a member from a list: then the ban is of the whole board. */
  place?: BanPlace | undefined
  /**
   * Given: does the banning by itself (with the rule by which the post goes as well), and closes the dialog. Else the dialog bans, and
   * `onBanned` hears that it did.
   */
  onBan?: (terms: BanTerms, rule: RuleKey) => void
  onBanned?: () => void
}

/** Keeps somebody from writing: how, where, how long, and whom it would hit beside them. */
export function BanDialog({ open, onClose, ...rest }: BanDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="書き込みを制限">
      <BanForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

/** Whom it would hit is known before anything can be chosen. */
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
  const member = useMember()
  const isScoped = Array.isArray(member?.moderates)
  const [draft, setDraft] = useState<Omit<BanDraft, 'on'> & { on: ReadonlySet<BanKind> | null }>({
    on: null,
    scope: isScoped ? 'category' : 'site',
    hours: undefined,
    reason: '',
    note: '',
  })
  const [rule, setRule] = useState<RuleKey>(lastRule)
  const { busy, problem, complain, send } = useRequest()
  const reason = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // A keyboard that slides in would cover what is to be chosen first.
    if (matchMedia('(pointer: fine)').matches) reason.current?.focus()
  }, [])

  const filled: BanDraft = { ...draft, on: draft.on ?? usualKinds(preview) }
  const update = (patch: Partial<BanDraft>) => {
    complain(null)
    setDraft((before) => ({ ...before, ...patch }))
  }
  const toggle = (kind: BanKind) => {
    const on = new Set(filled.on)
    if (!on.delete(kind)) on.add(kind)
    update({ on })
  }
  const submit = () => {
    const found = findBanProblem(filled)
    if (found !== null) return complain(found)
    if (onBan !== undefined) {
      rememberRule(rule)
      return onBan(toTerms(filled), rule)
    }
    void send(async () => {
      const scopeId = { site: null, category: place?.categoryId ?? null, thread: place?.threadId ?? null }[filled.scope]
      await createBan({ ...toTerms(filled), scopeId, target })
      onBanned?.()
      onClose()
    })
  }
  const scopes: { value: BanScope; label: string }[] = [
    ...(isScoped ? [] : [{ value: 'site' as const, label: '板全体' }]),
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
      <p className={styles['who']}>
        <b>{who}</b> の書き込みを制限します。読むことは制限しません。
      </p>
      <fieldset className={styles['kinds']}>
        <legend className={styles['legend']}>対象</legend>
        {BAN_KINDS.map(({ kind, label, hint }) => {
          const one = preview.kinds.find((known) => known.kind === kind)
          const possible = one?.possible === true
          return (
            <label key={kind} className={styles['kind']} data-off={!possible || undefined}>
              <input
                type="checkbox"
                checked={filled.on.has(kind)}
                disabled={!possible}
                onChange={() => toggle(kind)}
                className={styles['box']}
              />
              <span>
                {label}
                <span className={styles['hint']}>{possible ? hint : 'この相手には使えません。'}</span>
              </span>
              {possible && <span className={styles['posters']}>{one.posters}人</span>}
            </label>
          )
        })}
      </fieldset>
      <p className={styles['hit']} role="status">
        直近{LOOK_BACK_DAYS}日間に書き込んだ<b>{hitBy(preview, filled.on)}人</b>に影響します。
      </p>
      <div className={styles['pair']}>
        <SelectField label="範囲" options={scopes} value={filled.scope} onChange={(scope) => update({ scope })} />
        <SelectField label="期間" options={BAN_HOURS} value={hoursOf(filled)} onChange={(hours) => update({ hours })} />
      </div>
      {onBan !== undefined && (
        <SelectField
          label="根拠となる規約"
          hint="この書き込みは削除され、公開の記録に載ります。"
          options={RULE_OPTIONS}
          value={rule}
          onChange={setRule}
        />
      )}
      <Field
        label="理由"
        required
        hint="制限された本人に表示されます。"
        counter={{ length: countGraphemes(filled.reason.trim()), max: MODERATION_REASON.max }}
      >
        {(field) => (
          <TextInput
            {...field}
            ref={reason}
            value={filled.reason}
            onChange={(event) => update({ reason: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field
        label="メモ（任意）"
        hint="運営だけが読みます。"
        counter={{ length: countGraphemes(filled.note.trim()), max: MODERATION_NOTE.max }}
      >
        {(field) => (
          <TextInput {...field} value={filled.note} onChange={(event) => update({ note: event.currentTarget.value })} />
        )}
      </Field>
      {problem !== null && <Notice tone="error">{problem}</Notice>}
      <div className={styles['buttons']}>
        <Button onClick={onClose}>キャンセル</Button>
        <Button type="submit" variant="danger" busy={busy}>
          制限する
        </Button>
      </div>
    </form>
  )
}
