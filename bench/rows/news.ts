/**
 * The corpus of lies and honest sentences: how many lies are caught and honest ones refused by the
 * rules alone, and how many lies are published with a verifier that is right in 95 % of its
 * verdicts. The writer repeats what it is given, and the verifier is a script: it is as good as its
 * script says, and no better.
 */
import { checkSummary } from '@shinobi/newsroom/claims/checker'
import { createJudge, type Judge } from '@shinobi/newsroom/claims/judge-thread'
import { UNLIMITED } from '@shinobi/newsroom/summaries/budget'
import { createSummariser } from '@shinobi/newsroom/summaries/summariser'
import { concerns, readCorpus, type Sample } from '@shinobi/newsroom/testing/corpus/corpus'
import { startLlm, type LlmServer } from '@shinobi/newsroom/testing/outside/llm-server'
import { atLeast, atMost, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { random } from '../lib/text.ts'

/** Of the verdicts of the scripted verifier. */
const RIGHT = 0.95

async function measure({ options: { rounds }, say: progress }: Bench): Promise<Figure[]> {
  const samples = readCorpus()
  const isLie = ({ lie }: Sample): boolean => lie !== null
  const [lies, honest] = [samples.filter(isLie), samples.filter((sample) => !isLie(sample))]
  const refused = new Set(samples.filter((sample) => concerns(sample, checkSummary(sample.document, sample.summary))))
  const llm = await startLlm()
  const judge = createJudge()
  const published: number[] = []
  const lost: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    progress(`news: round ${round + 1} of ${rounds}, with a verifier`)
    const standing = await publish(samples, { llm, judge, next: random(round + 1) })
    published.push(percent(lies, standing))
    lost.push(100 - percent(honest, standing))
  }
  await judge.close()
  await llm.close()
  const [ofLies, ofHonest] = [`of ${lies.length} lies`, `of ${honest.length} honest sentences and titles`]
  return [
    toFigure('lies caught by rules alone', '%', [percent(lies, refused)], atLeast(45), byKind(lies, refused)),
    toFigure('honest ones refused by rules alone', '%', [percent(honest, refused)], atMost(5), ofHonest),
    toFigure('lies published, with a verifier right in 95 %', '%', published, atMost(3), ofLies),
    toFigure('honest ones not published, with the same', '%', lost, null, ofHonest),
  ]
}

interface Newsroom {
  readonly llm: LlmServer
  readonly judge: Judge
  /** A number from 0 to 1. */
  readonly next: () => number
}

/** The samples that stand in what the newsroom makes of their summaries. */
async function publish(samples: readonly Sample[], { llm, judge, next }: Newsroom): Promise<Set<Sample>> {
  const lies = new Set(samples.filter(({ lie }) => lie !== null).map(({ text }) => oneLine(text)))
  llm.judge(({ claim }) => (lies.has(claim) !== next() < RIGHT ? 'supported' : 'not_stated'))
  const standing = new Set<Sample>()
  for (const sample of samples) {
    llm.behave({ answer: JSON.stringify(sample.summary) })
    const outcome = await createSummariser({
      ...{ judge, budget: UNLIMITED, verifierBudget: UNLIMITED, now: Date.now, newId: () => '' },
      llm: { baseUrl: llm.url, apiKey: null, model: 'writer', verifierModel: 'verifier' },
      log: { warn: () => {} },
    }).summarise(null, sample.document)
    if (outcome.kind !== 'made') continue
    const { title, sentences } = outcome.summary
    if ([title, ...sentences.map(({ text }) => text)].includes(oneLine(sample.text))) standing.add(sample)
  }
  return standing
}

/** As the newsroom reads an answer. */
const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ')

const percent = (of: readonly Sample[], chosen: ReadonlySet<Sample>): number =>
  (100 * of.filter((sample) => chosen.has(sample)).length) / of.length

/** `place 2/3, direction 6/6`, the worst first. */
function byKind(lies: readonly Sample[], refused: ReadonlySet<Sample>): string {
  const kinds = Object.entries(Object.groupBy(lies, ({ lie }) => lie!)).map(([kind, all = []]) => ({
    ...{ kind, caught: all.filter((lie) => refused.has(lie)).length, all: all.length },
  }))
  return kinds
    .toSorted((one, other) => one.caught / one.all - other.caught / other.all)
    .map(({ kind, caught, all }) => `${kind} ${caught}/${all}`)
    .join(', ')
}

export const news: Row = { name: 'news', measure }
