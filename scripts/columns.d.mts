export function findLongComments(path: string, text: string): string[]
