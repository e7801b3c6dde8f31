/**
 * Checks that the sources and documents cite only what is in the repository: node
 * scripts/citations.mjs
 *
 * It reads three kinds of citations: relative links of Markdown, paths such as docs/bench.md in
 * comments and text, and the names of working papers that readers of the repository do not have.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fail, isMain, root } from './root.mjs'
import { listSource } from './source-archive.mjs'

const ADVICE =
  'Cite what a reader of the repository can open: docs/product.md for what visitors are promised, docs/decisions for a choice. ' +
  'Better: give the reason itself, where it is one line.'

const READ = /(\.(ts|tsx|mjs|cjs|js|css|md|json|ya?ml|html|conf|service|timer)|(^|\/)(Dockerfile|run))$/
/** Generated files, and this check itself, which contains the names that it forbids. */
const SKIPPED = /^(package-lock\.json|scripts\/citations\.(mjs|test\.ts))$/

/** COPY is an SQL statement too: it counts only where it is used as a document. */
const PAPERS = /\b(?:(?:SPEC|DESIGN|CRAFT|LOOK|STYLE|GATEWAY)\b(?:\.md\b| §[\d.]*\d)?|COPY(?:\.md\b| §[\d.]*\d))/g
/** A path in quotes is a program's, and one after a slash is part of an address. */
const PATHS = /(?<![\w/.'"-])docs\/(?:decisions\/\d{4}(?![\w-])|[\w./-]+\.[a-z]{2,4}\b)(?:#[\p{L}\p{N}_-]+)?/gu
const LINKS = /\]\(\s*<?([^\s)>]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/g
const ELSEWHERE = /^([a-z][a-z+.-]*:|\/\/)/i

/**
 * Broken citations as `file:line: what is wrong`, in the order of the files.
 * @param {string} folder
 * @param {readonly string[]} paths all files of the repository, relative to the folder
 */
export function findBrokenCitations(folder, paths) {
  const read = (path) => readFileSync(join(folder, path), 'utf8')
  const known = new Set(paths.flatMap((path) => [path, ...foldersOf(path)]))
  const headings = new Map()
  const hasHeading = (path, anchor) => {
    if (!headings.has(path)) headings.set(path, listAnchors(read(path)))
    return headings.get(path).has(anchor)
  }

  /** Null when the target exists. */
  const complainOf = (target) => {
    const [path, anchor] = target.split('#')
    const file = /^docs\/decisions\/\d{4}$/.test(path)
      ? paths.find((other) => other.startsWith(`${path}-`))
      : path.replace(/\/$/, '')
    if (file === undefined || !known.has(file)) return `${path} does not exist`
    if (anchor === undefined || !file.endsWith('.md') || hasHeading(file, anchor)) return null
    return `${file} has no heading #${anchor}`
  }

  return paths
    .filter((path) => READ.test(path) && !SKIPPED.test(path))
    .flatMap((path) =>
      linesOf(path, read(path)).flatMap(({ text, links }, index) => {
        const papers = [...text.matchAll(PAPERS)].map(([name]) => `${name} is not in the repository`)
        const targets = [
          ...[...text.matchAll(PATHS)].map(([target]) => target),
          ...[...links.matchAll(LINKS)].flatMap(([, inline, reference, attribute]) =>
            resolveLink(path, inline ?? reference ?? attribute),
          ),
        ]
        const problems = [...papers, ...targets.map(complainOf).filter((problem) => problem !== null)]
        return [...new Set(problems)].map((problem) => `${path}:${index + 1}: ${problem}`)
      }),
    )
}

function foldersOf(path) {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

/**
 * Lines of a file; `links` is the part that is searched for links: only Markdown outside of code.
 */
function linesOf(path, content) {
  const isMarkdown = path.endsWith('.md')
  let isCode = false
  return content.split('\n').map((text) => {
    const isFence = /^\s*(```|~~~)/.test(text)
    if (isFence) isCode = !isCode
    return { text, links: isMarkdown && !isCode && !isFence ? text.replaceAll(/`[^`]*`/g, '') : '' }
  })
}

/** The path from the root to a link's target; null for a target outside of the repository. */
function resolveLink(from, target) {
  if (ELSEWHERE.test(target)) return []
  const [path, anchor] = decodeURI(target).split('#')
  const fragment = anchor === undefined ? '' : `#${anchor}`
  if (path === '') return [from + fragment]
  return [posix.join(path.startsWith('/') ? '' : posix.dirname(from), path).replace(/^\//, '') + fragment]
}

/** The anchors that GitHub gives the headings of a Markdown file. */
function listAnchors(content) {
  const seen = new Map()
  const anchors = new Set()
  for (const { text } of linesOf('', content)) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1]
    if (heading === undefined) continue
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`)
  }
  return anchors
}

if (isMain(import.meta.url)) {
  // Includes untracked files, so that the result is the same before and after `git add`.
  const broken = findBrokenCitations(root, listSource(root, ['.']))
  if (broken.length > 0) fail(`${broken.join('\n')}\n${ADVICE}`)
}
