/** The result on the terminal, and as docs/reliability.md. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../bench/lib/server.ts'
import { median, quantile } from '../../bench/lib/stats.ts'
import { PROBLEMS, type ProblemKind } from './ledger.ts'
import type { Options } from './options.ts'
import type { Section } from './scenario.ts'

export interface Run {
  readonly options: Options
  /** Every scenario ran to its end. */
  readonly isWhole: boolean
  readonly minutes: number
}

/** Minimum numbers for docs/reliability.md. */
const OF_RECORD = { kills: 1_000, powerCuts: 20 }
const KINDS = Object.keys(PROBLEMS) as ProblemKind[]

const number = (value: number): string => value.toLocaleString('en-US')
const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`
const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)

export function printSections(sections: readonly Section[]): void {
  for (const section of sections) {
    const { title, faults, acknowledged, resends, counts, notes } = section
    console.log(`\n${title}`)
    console.log(`  faults: ${[...faults].map(([name, times]) => `${name} ${times}`).join(', ') || 'none'}`)
    const { posts, threads, pictures, likes } = acknowledged
    console.log(
      `  acknowledged: ${posts} posts in ${threads} threads, ${pictures} pictures, ${likes} likes; ${resends} sent again`,
    )
    console.log(`  ${KINDS.map((kind) => `${kind} ${counts[kind]}`).join(', ')}`)
    for (const line of recoveryLines(section)) console.log(`  ${line}`)
    for (const note of notes) console.log(`  ${note}`)
  }
  const problems = sections.flatMap((section) => section.problems.map((problem) => ({ ...problem, of: section.title })))
  if (problems.length > 0) console.log(`\n${problems.length} problems:`)
  else if (sections.length > 0) console.log('\nNothing was lost.')
  for (const { of, kind, what } of problems) console.log(`  ${of}: ${kind}: ${what}`)
}

const recoveryLines = ({ recoveries }: Section): string[] =>
  [...recoveries].map(
    ([fault, times]) =>
      `${fault}: first post acknowledged after ${seconds(median(times))} (median), ` +
      `${seconds(quantile(times, 0.95))} (95 of 100), ${seconds(Math.max(...times))} (longest)`,
  )

export function writeReport(sections: readonly Section[], run: Run): void {
  const { options, isWhole } = run
  const isOfRecord = isWhole && options.kills >= OF_RECORD.kills && options.powerCuts >= OF_RECORD.powerCuts
  if (options.report === null && !isOfRecord) {
    const { kills, powerCuts } = OF_RECORD
    console.log(
      `docs/reliability.md stays as it is: it takes all scenarios, --kills ${kills} and --power-cuts ${powerCuts}.`,
    )
    return
  }
  const path = options.report ?? join(ROOT, 'docs/reliability.md')
  writeFileSync(path, page(sections, run))
  console.log(`${path} is written.`)
}

function commit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
    return git('rev-parse', '--short=10', 'HEAD') + (isChanged ? ' with changes' : '')
  } catch {
    return 'unknown'
  }
}

function page(sections: readonly Section[], { options, minutes }: Run): string {
  const head = ['what was done', 'faults', 'posts acknowledged', 'pictures', 'likes', ...KINDS]
  const rows = sections
    .filter(({ faults }) => faults.size > 0)
    .map(({ title, faults, acknowledged: { posts, pictures, likes }, counts }) => [
      title,
      ...[sum(faults.values()), posts, pictures, likes].map(number),
      ...KINDS.map((kind) => (counts[kind] === 0 ? '0' : `**${counts[kind]}**`)),
    ])
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
  const problems = sections.flatMap(({ title, problems }) =>
    problems.map(({ kind, what }) => `- ${title}: ${kind}: ${what}`),
  )
  return `# Reliability

Written by \`npm run torture -- --kills ${options.kills} --power-cuts ${options.powerCuts}${options.citusUrl === null ? '' : ' --citus-url …'}\` on ${new Date().toISOString().slice(0, 10)}, at commit
${commit()}, in ${Math.round(minutes)} minutes: ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB memory, Linux ${release()}, Node ${process.versions.node}, seed ${options.seed}.

${table}

${KINDS.map((kind) => `- *${kind}*: ${PROBLEMS[kind]}`).join('\n')}

${problems.length === 0 ? 'Nothing was lost.' : `## Problems\n\n${problems.join('\n')}`}

## In detail

${sections.map(detail).join('\n\n')}

${HOW}`
}

function detail(section: Section): string {
  const faults = [...section.faults].map(([name, times]) => `- ${name}: ${number(times)}`)
  const { posts, threads } = section.acknowledged
  const load =
    section.faults.size === 0
      ? []
      : [`- ${number(posts)} posts in ${number(threads)} threads; ${number(section.resends)} sent again`]
  const lines = [
    ...faults,
    ...load,
    ...recoveryLines(section).map((line) => `- ${line}`),
    ...section.notes.map((note) => `- ${note}`),
  ]
  return `### ${section.title}\n\n${lines.join('\n')}`
}

const HOW = `## How

- People write all the time: posts by socket and over HTTP, threads, pictures, likes, from several addresses. Whoever gets no
  answer sends the same again with the same \`clientPostId\`, as the real client does; some send everything twice at once, and
  some hang up before the answer.
- A ledger outside the board holds everything that was acknowledged, and everything that was ever read. After each fault what
  was touched is read again as visitors read it, pictures are fetched and decoded, and counters are compared with rows in the
  database. At the end, with nobody writing, everything is read once more, and the board must hold as many posts and
  threads as were acknowledged: no fewer, and no more.
- Kills are SIGKILL at random moments, 0.2 to 1.5 s of load after the recovery before. A server that is killed again while it starts is
  one fault and two kills.
- Faults of a Citus cluster are tried with \`--citus-url\` only
  ([scaling.md](scaling.md#torturing-a-cluster)), because they need a cluster to strike.
`
