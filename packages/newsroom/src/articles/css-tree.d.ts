/** The parser alone: without the grammar of values, which is a megabyte. */
declare module 'css-tree/parser' {
  import { parse } from 'css-tree'
  export default parse
}
