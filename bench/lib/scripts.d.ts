/** Types of what the bench uses from scripts/, which is plain JavaScript. */
declare module '*/scripts/postgres.mjs' {
  export function findPostgres(): string | null
  export function startPostgres(options?: { durable?: boolean }): Promise<{ url: string; stop: () => Promise<void> }>
}
