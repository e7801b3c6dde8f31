/**
 * Completes package-lock.json for platforms other than this one: node scripts/complete-lock.mjs
 * [--check]
 *
 * With a registry that mirrors only some platforms, `npm install` writes a lock file without the
 * optional packages of the others, and `npm ci` then refuses that file everywhere. This script adds
 * the missing ones by name, version and platform; npm adds the checksum where it can fetch them.
 * Run it after adding or updating a dependency; `npm run check` fails when it is needed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, isMain, root } from './root.mjs'

const path = join(root, 'package-lock.json')

const CPUS = {
  x64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
}
const SYSTEMS = new Set(['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'])

/**
 * The platform in a package's name: @oxlint/binding-linux-arm64-musl is for Linux on ARM64 with
 * musl.
 */
function platformOf(name) {
  const parts = name.slice(name.indexOf('/') + 1).split(/[-.]/)
  const os = parts.filter((part) => SYSTEMS.has(part))
  const cpu = parts.flatMap((part) => CPUS[part] ?? [])
  if (os.length !== 1 || cpu.length !== 1) return null
  const libc = parts.some((part) => part.startsWith('musl'))
    ? ['musl']
    : parts.some((part) => part.startsWith('gnu'))
      ? ['glibc']
      : null
  return { os, cpu, libc: os[0] === 'linux' ? libc : null }
}

/**
 * Whether a package at `from` would find `name`, looking in the node_modules of each folder above
 * it.
 */
function isLocked(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true
    if (folder === '') return false
    if (!folder.includes('/node_modules/')) return packages[`node_modules/${name}`] !== undefined
  }
}

/** Optional packages that the lock file refers to but does not contain. */
function missingFromLock(lock) {
  return Object.entries(lock.packages).flatMap(([from, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(lock.packages, from, name))
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  )
}

if (isMain(import.meta.url)) {
  const lock = JSON.parse(readFileSync(path, 'utf8'))
  const missing = missingFromLock(lock)
  if (process.argv.includes('--check')) {
    if (missing.length === 0) process.exit(0)
    fail(`package-lock.json lacks ${missing.length} packages of other platforms. Run: node scripts/complete-lock.mjs`)
  }
  const packages = { ...lock.packages }
  for (const { name, version, dev } of missing) {
    const platform = platformOf(name)
    if (platform === null || !/^\d/.test(version)) throw new Error(`Cannot tell the platform of ${name}@${version}.`)
    const { cpu, libc, os } = platform
    packages[`node_modules/${name}`] = {
      version,
      cpu,
      ...(dev ? { dev } : {}),
      ...(libc === null ? {} : { libc }),
      optional: true,
      os,
    }
  }
  const sorted = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
  console.log(
    missing.length === 0 ? 'The lock file is complete.' : `Added ${missing.length} packages of other platforms.`,
  )
}
