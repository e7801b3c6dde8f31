/**
 * What bbs.cgi answers. Clients look for words in the title, for the comment `2ch_X`, and show what
 * is bold; an error has the status 200 as well, because of others they show nothing but the number.
 */
import { messages } from '@shinobi/contract/messages'
import { toField } from '@shinobi/dat/line'

interface Answer {
  readonly title: string
  /** For the comment by which clients tell answers apart. */
  readonly kind: 'true' | 'error' | 'cookie'
  /** HTML. */
  readonly body: string
}

const page = ({ title, kind, body }: Answer): string =>
  `<html><head><title>${title}</title><meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"></head>
<body><!-- 2ch_X:${kind} -->
${body}
</body></html>
`

/** Text with its line breaks. */
const toHtml = (text: string): string => text.split('\n').map(toField).join('<br>')

/** The post is published, or waits for a moderator, which a note says. */
export const writtenPage = (note = ''): string =>
  page({ title: '書きこみました。', kind: 'true', body: `書きこみました。<br>${toHtml(note)}` })

export const errorPage = (message: string): string =>
  page({ title: 'ＥＲＲＯＲ！', kind: 'error', body: `<b>${toHtml(message)}</b>` })

/**
 * Text as it was typed, because clients send it in place of what they have. JDim decodes references
 * in MESSAGE alone; those in other fields are decoded by the server, if they are numeric. CP932 has
 * \ and ~ in place of the last two.
 */
const inAttribute = (text: string): string =>
  text.replaceAll(/[&<>"\n¥‾]/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * Asks a client without a cookie to send the same again: it does so with the cookie of this answer.
 * @param action where it is sent
 */
export function confirmPage(action: string, fields: ReadonlyMap<string, string>): string {
  const hidden = [...fields].filter(([name]) => name !== 'submit')
  return page({
    title: '■ 書き込み確認 ■',
    kind: 'cookie',
    body: `<b>${messages.client_confirm_title}</b><br>${toHtml(messages.client_confirm)}
<form method="POST" action="${action}" accept-charset="Shift_JIS">
${hidden.map(([name, value]) => `<input type="hidden" name="${inAttribute(name)}" value="${inAttribute(value)}">`).join('\n')}
<input type="submit" name="submit" value="上記全てを承諾して書き込む">
</form>`,
  })
}
