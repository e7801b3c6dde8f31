declare module 'unix-crypt-td-js' {
  /** crypt(3) by DES. @param password bytes, of which the first eight count */
  export default function crypt(password: readonly number[], salt: string): string
}
