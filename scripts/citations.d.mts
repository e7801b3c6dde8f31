export function findBrokenCitations(folder: string, paths: readonly string[]): string[]
