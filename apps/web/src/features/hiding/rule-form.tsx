import { messages } from '@shinobi/contract/messages'
import { isStorableText, type RuleKind } from '@shinobi/contract/hiding-entry'
import { HIDING_TEXT } from '@shinobi/contract/limits'
import { countGraphemes } from '@shinobi/contract/text'
import { useEffect, useRef, useState } from 'react'
import { useEarlySubmit } from '../../lib/early-form.ts'
import { uuidV7 } from '../../lib/uuid-v7.ts'
import { Button } from '../../ui/button.tsx'
import { OneOf, SomeOf } from '../../ui/choices.tsx'
import { LineField } from '../../ui/line-field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { compilePattern, toDomain } from './matcher.ts'
import { hashPicture } from './pictures.ts'
import styles from './rule-form.module.css'
import { addRule, type HidingRule } from './rules.ts'

/** What can be hidden from here. */
export interface Candidate {
  readonly kind: RuleKind
  readonly label: string
  /** The name or domain, or the address of the picture; null where the visitor types it. */
  readonly text: string | null
}

const DAY_MS = 86_400_000
const ENDS = [
  { value: null, label: '期限なし' },
  { value: 1, label: '1日' },
  { value: 7, label: '7日' },
  { value: 30, label: '30日' },
] as const

type Trait = 'here' | 'chain' | 'traceless'

const HINTS: Partial<Record<RuleKind, string>> = {
  word: '全角・半角、大文字・小文字、ひらがな・カタカナは区別しません。',
  pattern: 'RE2の書き方です。例：荒らし|^w{3,}',
  domain: '例：example.com（その下のホストも含みます）',
}

interface RuleFormProps {
  candidates: readonly Candidate[]
  /** The thread that the rule can be limited to; null where there is none. */
  threadId: string | null
  onAdded: (rule: HidingRule) => void
}

/** Makes a rule. */
export function RuleForm({ candidates, threadId, onAdded }: RuleFormProps) {
  const [chosen, setChosen] = useState(0)
  const [typed, setTyped] = useState('')
  const [traits, setTraits] = useState<ReadonlySet<Trait>>(new Set())
  const [days, setDays] = useState<(typeof ENDS)[number]['value']>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const [isRead, setRead] = useState(false)
  // What was chosen and typed before hydration.
  useEffect(() => {
    const early = new FormData(form.current!)
    setChosen(Number(early.get('hiding-kind')))
    setTyped((early.get('hiding-text') as string | null) ?? '')
    setTraits(new Set(early.getAll('hiding-traits') as Trait[]))
    setDays(ENDS.find(({ value }) => String(value) === early.get('hiding-days'))!.value)
    setRead(true)
  }, [])
  useEarlySubmit(form, isRead)
  const candidate = candidates[chosen]!
  const isPost = candidate.kind !== 'title'

  const add = async () => {
    setBusy(true)
    const outcome = await findText(candidate, typed)
    setBusy(false)
    setProblem(outcome.problem)
    if (outcome.problem !== null) {
      form.current?.querySelector<HTMLElement>('[name="hiding-text"]')?.focus()
      return
    }
    const now = Date.now()
    const rule: HidingRule = {
      id: uuidV7(now),
      kind: candidate.kind,
      text: outcome.text,
      threadId: isPost && traits.has('here') ? threadId : null,
      chain: isPost && traits.has('chain'),
      traceless: traits.has('traceless'),
      endsAt: days === null ? null : now + days * DAY_MS,
      createdAt: now,
    }
    addRule(rule, now)
    setTyped('')
    onAdded(rule)
  }

  return (
    <form
      ref={form}
      className={styles['form']}
      method="post"
      noValidate
      onSubmit={(event) => {
        // Too early: useEarlySubmit submits it again.
        if (!isRead) return
        event.preventDefault()
        void add()
      }}
    >
      <OneOf
        legend="隠すもの"
        name="hiding-kind"
        layout="columns"
        options={candidates.map(({ label }, index) => ({ value: String(index), label }))}
        value={String(chosen)}
        onChange={(index) => {
          setChosen(Number(index))
          setProblem(null)
        }}
      />
      {candidate.text === null ? (
        <LineField
          label={candidate.label}
          name="hiding-text"
          required
          hint={HINTS[candidate.kind]}
          error={problem}
          value={typed}
          onChange={(text) => {
            setTyped(text)
            setProblem(null)
          }}
        />
      ) : (
        <p className={styles['problem']} aria-live="polite">
          {problem}
        </p>
      )}
      {isPost && (
        <SomeOf
          legend="隠し方"
          name="hiding-traits"
          options={[
            ...(threadId === null ? [] : [{ value: 'here' as const, label: 'このスレッドだけ' }]),
            { value: 'chain', label: '返信も隠す（連鎖）' },
            { value: 'traceless', label: '「あぼーん」の行も残さない' },
          ]}
          values={traits}
          onChange={setTraits}
        />
      )}
      <SelectField label="期限" name="hiding-days" options={ENDS} value={days} onChange={setDays} />
      <Button type="submit" variant="primary" busy={busy}>
        隠す
      </Button>
    </form>
  )
}

type Outcome = { readonly text: string; readonly problem: null } | { readonly problem: string }

/** The text of the rule, or why there is none. */
async function findText({ kind, text }: Candidate, typed: string): Promise<Outcome> {
  if (kind === 'image') {
    const hash = await hashPicture(text ?? '')
    return hash === null ? { problem: messages.hiding_picture_failed } : { text: hash, problem: null }
  }
  const wanted = kind === 'domain' ? toDomain(text ?? typed) : (text ?? typed).trim()
  if (wanted === '') return { problem: messages.hiding_text_missing }
  if (countGraphemes(wanted) > HIDING_TEXT.max || !isStorableText(wanted)) return { problem: messages.hiding_text_long }
  if (kind === 'pattern' && (await compilePattern(wanted).catch(() => null)) === null) {
    return { problem: messages.hiding_pattern_invalid }
  }
  return { text: wanted, problem: null }
}
