/**
 * Finds files of this repository by their names in package.json, both from the sources and from the
 * bundle.
 */
import { createRequire } from 'node:module'

/**
 * The path of `name`: a workspace's file, or an entry of this package's `imports`.
 * @throws when there is no such file
 */
export const locate: (name: string) => string = createRequire(import.meta.url).resolve
