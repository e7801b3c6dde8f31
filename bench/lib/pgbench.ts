/**
 * The reference of the posting rows: pgbench increments a thread's counter and inserts the post, in
 * one transaction.
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { onEnd } from './cleanup.ts'
import type { Cluster } from './cluster.ts'
import { temporaryFolder } from './server.ts'

const CLIENTS = 10

/** Text of the same length as the posts of the bench's clients. */
const SCRIPT = `\\set thread random(1, :threads)
begin;
update threads set "postCount" = "postCount" + 1, "lastPostAt" = now() where id = :thread returning "postCount" as number \\gset
insert into posts ("threadId", number, id, name, content, "createdAt") values (:thread, :number, gen_random_uuid(), '忍ぶ影', :content, now());
commit;
`

export interface Reference {
  /** @returns transactions a second over so many threads */
  run(threads: number, seconds: number): Promise<number>
}

export async function openReference(cluster: Cluster, content: string, threads: number): Promise<Reference> {
  const url = await cluster.createDatabase('reference')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // The same shape as the board's tables, with fewer columns and indexes.
  await client.query(`
    create table threads (id integer primary key, title text not null, "postCount" integer not null, "lastPostAt" timestamptz not null)
    with (fillfactor = 70)`)
  await client.query(`
    create table posts ("threadId" integer not null, number integer not null, id uuid not null, name text, content text not null,
      "createdAt" timestamptz not null, primary key ("threadId", number))`)
  await client.query(`insert into threads select i, 'スレッド' || i, 0, now() from generate_series(1, $1) as i`, [
    threads,
  ])
  await client.query('vacuum analyze')
  await client.end()
  const script = join(temporaryFolder(), 'post.sql')
  writeFileSync(script, SCRIPT.replace(':content', `'${content}'`))
  return {
    async run(threads, seconds) {
      const args = ['-n', '-M', 'prepared', '-c', `${CLIENTS}`, '-j', '1', '-T', `${seconds}`, '-f', script]
      const output = await runProgram(join(cluster.programs, 'pgbench'), [
        ...args,
        '-D',
        `threads=${threads}`,
        '-d',
        url,
      ])
      const [, perSecond] = /^tps = ([\d.]+)/m.exec(output) ?? []
      if (perSecond === undefined) throw new Error(`pgbench said: ${output}`)
      return Number(perSecond)
    },
  }
}

async function runProgram(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const forget = onEnd(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.on('error', () =>
    reject(new Error('pgbench was not found; it comes with PostgreSQL (Debian: postgresql-contrib).')),
  )
  child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`pgbench failed: ${output}`))))
  await promise
  forget()
  return output
}
