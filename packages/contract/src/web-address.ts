/**
 * Whether a text is an address that the server may fetch and pages may link to: http or https,
 * without user name and password.
 */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}
