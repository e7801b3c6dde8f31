export function listSource(folder: string, bundled: readonly string[]): string[]
export function listOffered(folder: string, bundled: readonly string[]): string[]
export function packSource(folder: string, paths: readonly string[]): Promise<Buffer>
