/** Reasons of one press. The text of the report is all there is: a choice is what it begins with. */
export const REPORT_CHOICES = [
  '個人情報が書かれている',
  '荒らし・連続書き込み',
  '宣伝・スパム',
  '暴力・差別',
  'わいせつ',
] as const

/** The choice that a reason begins with; null for one in other words. */
export const choiceOf = (reason: string): string | null =>
  REPORT_CHOICES.find((choice) => reason.trimStart().startsWith(choice)) ?? null

/** A reason with another choice, or none, in front of the words that were added. */
export function withChoice(reason: string, choice: string | null): string {
  const added = reason.trimStart().slice(choiceOf(reason)?.length ?? 0)
  if (choice === null) return added.trimStart()
  return added.trim() === '' || choiceOf(reason) !== null ? choice + added : `${choice}\n${added}`
}
