/** Finds files of this repository by the names that package.json gives them, from the sources and from the bundle alike. */
import { createRequire } from 'node:module'

/**
 * The path of what `name` names: a workspace's file, or an entry of this package's `imports`.
 * @throws when there is no such file
 */
export const locate: (name: string) => string = createRequire(import.meta.url).resolve
