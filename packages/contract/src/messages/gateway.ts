/**
 * Messages to browsers of 2ch (専ブラ). Without spaces: clients read a number between spaces as the
 * seconds that they have to wait.
 */
/** In bold: navi2ch sends the same again where it reads just this. */
export const client_confirm_title = '書きこみ＆クッキー確認'
export const client_confirm =
  '書き込みは誰にでも読まれます。利用規約を守って書き込んでください。\nもう一度送ると書き込まれます。'
export const client_code_unknown =
  'このコードは使えません。打ち間違い、期限切れ、使用済みのどれかです。新しいコードを出してください。'
export const client_proof = (address: string): string =>
  `結界を張っています。次のページをブラウザで開き、出てきたコードをメール欄に入れて、もう一度書き込んでください。\n${address}`
