/**
 * Starts the server: one process that serves, or several (WEB_CONCURRENCY) and a primary that
 * supervises them.
 */
import cluster from 'node:cluster'
import { mkdirSync } from 'node:fs'
import { loadConfig } from './config.ts'
import { explainSetup } from './explain-setup.ts'
import { AdminRefusal } from './features/accounts/admins.service.ts'
import { serve } from './serve.ts'
import { serveByWorkers } from './process/primary.ts'

async function start(): Promise<void> {
  const config = loadConfig()
  mkdirSync(config.dataDir, { recursive: true })
  const told = await (cluster.isPrimary && config.webConcurrency > 1 ? serveByWorkers(config) : serve(config))
  // The primary prints one line for all workers.
  if (cluster.isPrimary) console.log(told)
}

/**
 * Errors that an operator can fix are explained in one line; all others are printed with their
 * stack.
 */
function explain(error: unknown): string {
  if (error instanceof AdminRefusal) return `Settings ADMIN_… cannot be used: ${error.message}`
  return explainSetup(error) ?? (error as Error).stack ?? String(error)
}

start().catch((error: unknown) => {
  console.error(explain(error))
  process.exit(1)
})
