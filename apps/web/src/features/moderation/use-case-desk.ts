import type { BanTerms } from '@shinobi/contract/bans'
import type { CaseDecision, CaseReport, ModerationCase } from '@shinobi/contract/moderation'
import { may } from '@shinobi/contract/permissions'
import type { RuleKey } from '@shinobi/contract/rules'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useKeys } from '../../lib/use-keys.ts'
import { wordsOf } from '../../lib/use-request.ts'
import { useMember } from '../accounts/use-session.ts'
import { decideCase, noteCase, openCasesQuery, undoAction, type CaseSort } from './api.ts'
import { keyOfCase } from './case-list.tsx'
import { postHref } from './case-view.tsx'
import { stripKeys, type ChoiceStripProps } from './choice-strip.tsx'
import { isRule, lastRule, rememberRule, RULE_CHOICES } from './rules.ts'
import { useMuting } from './use-muting.ts'
import { useQueueDesk } from './use-queue-desk.ts'

/** The open reports and the actions on the current one, by button or by key. */
export function useCaseDesk(sort: CaseSort) {
  const member = useMember()
  const mayMute = may(member, 'muteReporters')
  const query = useQuery(openCasesQuery(member?._id ?? '', sort))
  const { view, front, strip, setStrip, ready, ...desk } = useQueueDesk<
    ModerationCase,
    'remove' | 'remove_all' | 'mute'
  >(query, query.data?.cases, keyOfCase)
  const [open, setOpen] = useState<'ban' | 'help' | null>(null)
  const close = () => setOpen(null)
  const cancel = () => setStrip(null)

  const [notes, setNotes] = useState<ReadonlyMap<string, string>>(new Map())
  const noteField = useRef<HTMLInputElement>(null)
  const note = front === undefined ? '' : (notes.get(keyOfCase(front)) ?? front.note)
  const typeNote = (text: string) => {
    if (front !== undefined) setNotes((before) => new Map(before).set(keyOfCase(front), text))
  }
  const saveNote = () => {
    if (front === undefined) return
    const key = keyOfCase(front)
    noteCase(front, note.trim()).then(
      async () => {
        desk.tell('メモを残しました。')
        await query.refetch()
        // From now on the stored one is shown, whoever changes it.
        setNotes((before) => new Map([...before].filter(([one, text]) => one !== key || text !== note)))
      },
      (error: unknown) => desk.tell(wordsOf(error), 'error'),
    )
    view.current?.focus({ preventScroll: true })
  }

  const muting = useMuting(front, desk.tell, desk.reread)
  const mute = (report: CaseReport) => {
    cancel()
    muting.mute(report)
  }
  const chooseReporter = (key: string) => {
    cancel()
    muting.choose(key)
  }
  const askMute = () => {
    const [first, second] = front?.reports ?? []
    if (first === undefined) return
    if (second === undefined) mute(first)
    else setStrip('mute')
  }

  const decide = (decision: CaseDecision, words: string) => {
    if (front === undefined || !ready) return
    cancel()
    desk.decide(front, words, async () => {
      const actionId = await decideCase(front, decision)
      return () => undoAction(actionId)
    })
  }
  // A note that is not edited may be older than that of another moderator.
  const remarks = { note: front !== undefined && notes.has(keyOfCase(front)) ? note.trim() : '' }
  const remove = (action: 'remove' | 'remove_all') => (rule: string) => {
    if (!isRule(rule)) return
    rememberRule(rule)
    const words = action === 'remove' ? '削除しました。' : '同じ人の書き込みをまとめて削除しました。'
    decide({ action, rule, ...remarks }, words)
  }
  /** The form waits for the answer: a refused ban leaves what was typed there. */
  const ban = async (terms: BanTerms, rule: RuleKey) => {
    if (front === undefined) return
    const actionId = await decideCase(front, { action: 'ban', rule, ban: terms, ...remarks })
    close()
    desk.decide(front, '削除し、書き込んだ人を制限しました。', async () => () => undoAction(actionId))
  }
  const actions = {
    dismiss: () => decide({ action: 'dismiss', ...remarks }, '却下しました。'),
    remove: () => setStrip('remove'),
    removeAll: () => setStrip('remove_all'),
    ban: () => setOpen('ban'),
    lock: () => decide({ action: 'lock', ...remarks }, 'スレッドをロックしました。'),
    undo: desk.undo,
    help: () => setOpen('help'),
  }

  const byRule = (action: 'remove' | 'remove_all', title: string): ChoiceStripProps => ({
    title,
    choices: RULE_CHOICES,
    usual: lastRule(),
    onChoose: remove(action),
    onCancel: cancel,
  })
  const strips = {
    remove: () => byRule('remove', '削除の理由'),
    remove_all: () => byRule('remove_all', '同じ人の書き込みをまとめて削除する理由'),
    mute: () => ({ title: '通報を数えない人', choices: muting.choices, onChoose: chooseReporter, onCancel: cancel }),
  }
  const choosing: ChoiceStripProps | null = strip && strips[strip]()
  useKeys({
    ...desk.keys,
    u: desk.undo,
    '?': actions.help,
    ...(front !== undefined && {
      n: () => noteField.current?.focus(),
      o: () => void window.open(postHref(front), '_blank', 'noopener'),
    }),
    ...(ready && {
      d: actions.dismiss,
      r: actions.remove,
      a: actions.removeAll,
      b: actions.ban,
      l: actions.lock,
      ...(mayMute && { m: askMute }),
    }),
    ...stripKeys(choosing),
  })

  return {
    mayMute,
    query,
    view,
    front,
    ready,
    desk,
    open,
    close,
    note,
    noteField,
    typeNote,
    saveNote,
    mute,
    ban,
    actions,
    choosing,
  }
}
