/**
 * Redis cannot be reached, or does not answer: a retry may succeed. Its message is the one line for
 * the operator.
 */
export class RedisAwayError extends Error {}
