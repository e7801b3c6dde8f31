/** Predefined reasons. A report contains only its text: a choice is the beginning of that text. */
export const REPORT_CHOICES = [
  '個人情報が書かれている',
  '荒らし・連続書き込み',
  '宣伝・スパム',
  '暴力・差別',
  'わいせつ',
] as const

/** The choice with which a reason begins; null for free text. */
export const choiceOf = (reason: string): string | null =>
  REPORT_CHOICES.find((choice) => reason.trimStart().startsWith(choice)) ?? null

/** A reason with another choice, or none, before the added text. */
export function withChoice(reason: string, choice: string | null): string {
  const added = reason.trimStart().slice(choiceOf(reason)?.length ?? 0)
  if (choice === null) return added.trimStart()
  return added.trim() === '' || choiceOf(reason) !== null ? choice + added : `${choice}\n${added}`
}
