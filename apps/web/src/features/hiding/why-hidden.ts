import type { Hidden } from './matcher.ts'
import { describeRule } from './rules.ts'

/** Why a post is hidden: by its own rule, or with the post that it answers. */
export const whyHidden = ({ rule, answers }: Hidden): string =>
  answers === null ? describeRule(rule) : `>>${answers}への返信`
