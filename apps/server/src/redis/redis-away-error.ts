/** Redis cannot be reached, or does not answer: it may come back. Its message is the one line for the operator. */
export class RedisAwayError extends Error {}
