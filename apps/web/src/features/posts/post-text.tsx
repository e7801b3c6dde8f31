import { useMemo } from 'react'
import { AnchorLink } from './anchor-link.tsx'
import { ArtView } from './art-view.tsx'
import { isAsciiArt } from './ascii-art.ts'
import { foldText } from './fold-text.ts'
import { parseContent, type Token } from './parse-content.ts'
import styles from './post-text.module.css'

/** The text of a post as it was typed, with links and anchors; long ones fold, art keeps its spaces. */
export function PostText({ content }: { content: string }) {
  const isArt = useMemo(() => isAsciiArt(content), [content])
  if (isArt) {
    return (
      <ArtView>
        <Tokens text={content} />
      </ArtView>
    )
  }
  const { head, rest } = foldText(content)
  return (
    <>
      <div className={styles['text']}>
        <Tokens text={head} />
      </div>
      {rest !== null && (
        <details className={styles['fold']}>
          <summary className={styles['more']}>続きを読む</summary>
          <div className={styles['text']}>
            <Tokens text={rest} />
          </div>
        </details>
      )}
    </>
  )
}

function Tokens({ text }: { text: string }) {
  const tokens = useMemo(() => parseContent(text), [text])
  // oxlint-disable-next-line react/no-array-index-key -- the text of a post never changes
  return tokens.map((token, index) => <TokenView key={index} token={token} />)
}

function TokenView({ token }: { token: Token }) {
  switch (token.kind) {
    case 'text':
      return token.text
    case 'anchor':
      return <AnchorLink text={token.text} ranges={token.ranges} />
    case 'link':
      return (
        <a href={token.href} target="_blank" rel="nofollow ugc noopener noreferrer">
          {token.label}
        </a>
      )
  }
}
