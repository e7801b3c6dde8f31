import type { Post } from '@shinobi/contract/posts'
import { createContext, use } from 'react'

/** Opens the menu of a post's actions beside its number; a press on the same number closes it. */
export type OpenPostMenu = (post: Post, number: HTMLElement) => void

export const PostMenuContext = createContext<OpenPostMenu | null>(null)

export function usePostMenu(): OpenPostMenu {
  const open = use(PostMenuContext)
  if (open === null) throw new Error('usePostMenu must be used inside PostMenus')
  return open
}
