/** What the picture of a shared link shows. */
export interface Card {
  readonly title: string
  /** Label of the category. */
  readonly category: string
  /** About how many posts there are; null for few. */
  readonly posts: string | null
  /** How the text was made, as AI要約; null for a thread of a visitor. */
  readonly seal: string | null
}

/** An answer of the worker thread. */
export interface Drawn {
  /** Null where the fonts have too little of the title. */
  readonly png: Uint8Array | null
}
