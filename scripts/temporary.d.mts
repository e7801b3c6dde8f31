/** Folder of tests' databases and pictures; see temporary.mjs. */
export const temporary: string
