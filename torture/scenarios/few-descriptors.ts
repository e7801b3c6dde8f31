/** A server with a low limit of open files, and more connections than that. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginTrial, notTried, RECOVERY_MS } from '../lib/scenario.ts'
import type { Scenario, Section, Torture, Trial } from '../lib/scenario.ts'

const LIMITS = [64, 128, 256] as const
const LOAD_MS = 2_500
const CROWDED_MS = 4_000
const CONNECTIONS = 300

async function run(torture: Torture): Promise<Section[]> {
  const sections: Section[] = []
  for (const limit of LIMITS) sections.push(await tryWith(torture, limit))
  return sections
}

async function tryWith(torture: Torture, limit: number): Promise<Section> {
  const title = `${limit} file descriptors, embedded database`
  torture.say(title)
  const launcher = ['prlimit', `--nofile=${limit}:${limit}`]
  let trial: Trial
  try {
    trial = await beginTrial(torture, { title, launcher })
  } catch (error) {
    // Too few to run PostgreSQL: the server must end with a message that says why.
    return notTried(title, `the start ended: ${(error as Error).message.trim()}`)
  }
  const { crowd, checker, site } = trial
  await sleep(LOAD_MS)
  await checker.checkTouched()
  const connections = await openConnections(Number(new URL(site.url).port))
  await sleep(CROWDED_MS)
  for (const connection of connections) connection.destroy()
  trial.count(
    `${CONNECTIONS} connections with half a request`,
    await crowd.acknowledgedAfter(performance.now(), RECOVERY_MS),
  )
  await checker.checkTouched()
  return trial.end()
}

/** Connections that use descriptors and never end their request. */
async function openConnections(port: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      const { promise, resolve } = Promise.withResolvers<void>()
      socket.write('GET / HTTP/1.1\r\nhost: board\r\n')
      socket.once('connect', resolve).once('close', () => resolve())
      await Promise.race([promise, sleep(LOAD_MS)])
      return socket
    }),
  )
}

export const fewDescriptors: Scenario = { name: 'few-descriptors', run }
