/**
 * The rules of the board (terms, article 2). Moderators name one of them when they remove or hold.
 * Free of zod, because the browser loads them.
 */
export const RULES = {
  law: '法令・公序良俗に反する書き込み',
  hurt: '他人を傷つける書き込み',
  disturb: '板の運営を乱す書き込み',
  improper: '運営者が不適切と判断した書き込み',
} as const

export type RuleKey = keyof typeof RULES
export const RULE_KEYS = Object.keys(RULES) as [RuleKey, ...RuleKey[]]

/** Steps of raid mode (結界), from calm to closed. No step affects reading. */
export const SHIELD_STEPS = ['calm', 'cooldown', 'proof', 'hold', 'lock'] as const
export type ShieldStepName = (typeof SHIELD_STEPS)[number]

/** What a step means for writers. */
export const SHIELD_NOTICES: Readonly<Record<ShieldStepName, string>> = {
  calm: '',
  cooldown: '書き込みが急に増えたため、続けて書き込むときに少し間をあけていただいています。',
  proof: '書き込みが急に増えたため、初めての方の書き込みの前に、ブラウザでの自動の確認（数秒）を行っています。',
  hold: '書き込みが急に増えたため、初めての方の書き込みは、確認が済んでから表示されます。',
  lock: '書き込みが急に増えたため、初めての方の書き込みを一時的に止めています。',
}

/** What a step does, for the moderators who set it. */
export const SHIELD_EFFECTS: Readonly<Record<ShieldStepName, string>> = {
  calm: '何も制限しません。',
  cooldown: '同じ人の連続書き込みに間隔を設けます。',
  proof: '初めての人に、書き込みの前にブラウザでの自動の確認（数秒）を求めます。',
  hold: '初めての人の書き込みを、確認待ちに入れます。',
  lock: '初めての人の書き込みを止めます。常連は書き込めます。',
}

/** What a word rule does to a text that contains the word. */
export const WORD_ACTIONS = {
  block: '書き込みを断る',
  hold: '確認待ちにする',
  mask: '伏せ字にする',
  flag: '公開して通報に載せる',
} as const
