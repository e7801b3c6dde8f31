/** Finds superlatives that the article does not have: the first, the most, the only one. */
import type { Claim, Evidence } from './evidence.ts'

interface Superlative {
  readonly said: RegExp
  readonly borne: RegExp
}

const SUPERLATIVES: readonly Superlative[] = [
  {
    // 最大200万円 is a limit, 最初 and 最近 are times.
    said: /最も|もっとも(?!らし)|最(?:大(?!で?[\d一二三四五六七八九十百千万約])|小|高(?![裁検経])|低(?!限)|多|少(?!年)|悪|良|長|短|年少|年長|古|強|速|重要|有力)|史上|過去[一1]番|[世日]界?[一1]の|世界一|日本一|首位|トップ(?=[のにで、。とを]|$)/gu,
    borne:
      /最も|もっとも|最(?!初|近|後|新|中|終|寄)|一番|1番|世界一|日本一|首位|トップ|1位|record|most|highest|lowest|largest|biggest|best|worst|top|leading|longest|shortest|fewest|smallest/u,
  },
  {
    said: /初(?:めて|の(?!め)|となる|優勝|受賞|公開)|史上初/gu,
    borne: /初|はじめて|first|never before|debut|maiden/u,
  },
  { said: /唯一/gu, borne: /唯一|だけ|only|sole/u },
]

/** The superlatives of a claim that are not in its evidence. */
export const findUnknownSuperlatives = (claim: Claim, { near }: Evidence): string[] =>
  SUPERLATIVES.flatMap(({ said, borne }) => (borne.test(near.text) ? [] : (claim.text.match(said) ?? [])))
