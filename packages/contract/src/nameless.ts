/**
 * Shown where a writer gave no name or has left the board. A client sends it as a nickname to post
 * without a name: anybody may use it, nobody can own it, and such posts store no name. The server
 * takes a few others for it, such as 名無しさん.
 */
export const NAMELESS = '名無し'
