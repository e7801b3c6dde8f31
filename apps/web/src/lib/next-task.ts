/**
 * Resolves in a task of its own. Work that nobody waits for, such as requesting a chunk with its
 * stylesheets, then does not lengthen the task under way, in which a slow phone can answer no tap.
 */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
