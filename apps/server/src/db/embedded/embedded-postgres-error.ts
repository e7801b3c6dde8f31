/**
 * The embedded PostgreSQL cannot run. The message is the one line that the operator sees; it says
 * what to do.
 */
export class EmbeddedPostgresError extends Error {}
