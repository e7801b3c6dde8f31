/**
 * What stands where a writer gave no name, or has left the board since. Sent as a nickname it says that the writer wants
 * none: anybody may write under it, nobody can own it, and posts keep no name.
 */
export const NAMELESS = '名無し'
