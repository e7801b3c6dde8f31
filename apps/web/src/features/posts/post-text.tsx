import type { Post } from '@shinobi/contract/posts'
import { useMemo } from 'react'
import { AnchorLink } from './anchor-link.tsx'
import { ArtView } from './art-view.tsx'
import { isAsciiArt } from './ascii-art.ts'
import { foldArt, foldText } from './fold-text.ts'
import { parseContent, type Token } from './parse-content.ts'
import styles from './post-text.module.css'

interface PostTextProps extends Pick<Post, 'content' | 'plainLinks'> {
  /** As art, or wrapped; by default what it looks like. */
  isArt?: boolean
}

/** The text of a post as typed, with links and anchors; long ones fold, art keeps its spaces. */
export function PostText({ content, plainLinks, isArt = isAsciiArt(content) }: PostTextProps) {
  const { head, rest } = useMemo(() => parsePost(content, plainLinks, isArt), [content, plainLinks, isArt])
  const text = (
    <>
      <Tokens tokens={head} />
      {rest !== null && (
        <details className={styles['fold']}>
          <summary className={styles['more']}>続きを読む</summary>
          <Tokens tokens={rest} />
        </details>
      )}
    </>
  )
  return isArt ? <ArtView>{text}</ArtView> : <div className={styles['text']}>{text}</div>
}

/** Why an address in a post is no link. */
export const PLAIN_ADDRESS = '初めての方のリンクは押せません。'

/**
 * Longer addresses would push the text off a phone's screen. Their beginning and end show where
 * they lead.
 */
const ADDRESS_SHOWN_MAX = 60

export function shorten(address: string): string {
  const letters = [...address]
  if (letters.length <= ADDRESS_SHOWN_MAX) return address
  const end = Math.floor(ADDRESS_SHOWN_MAX / 3)
  return `${letters.slice(0, ADDRESS_SHOWN_MAX - end - 1).join('')}…${letters.slice(-end).join('')}`
}

function parsePost(
  content: string,
  plainLinks: true | undefined,
  isArt: boolean,
): { head: Token[]; rest: Token[] | null } {
  const folded = isArt ? foldArt(content) : foldText(content)
  const head = parseContent(folded.head, { plainLinks })
  return { head, rest: folded.rest === null ? null : parseContent(folded.rest, { before: head, plainLinks }) }
}

function Tokens({ tokens }: { tokens: readonly Token[] }) {
  // oxlint-disable-next-line react/no-array-index-key -- the text of a post never changes
  return tokens.map((token, index) => <TokenView key={index} token={token} />)
}

function TokenView({ token }: { token: Token }) {
  switch (token.kind) {
    case 'text':
      return token.text
    case 'anchor':
      return <AnchorLink text={token.text} ranges={token.ranges} />
    case 'id':
      // A press on it is handled by post-menus.tsx.
      return (
        <button type="button" className={styles['id']} data-poster={token.id} aria-haspopup="dialog">
          {token.text}
        </button>
      )
    case 'address':
      return (
        <span className={styles['dead']} title={PLAIN_ADDRESS}>
          {token.text}
        </span>
      )
    case 'link':
      return (
        <a href={token.href} target="_blank" rel="nofollow ugc noopener noreferrer">
          {shorten(token.label)}
        </a>
      )
  }
}
