import type { Post } from '@shinobi/contract/posts'
import { useCallback, useEffect, useMemo, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { loadChunk } from '../../lib/load-chunk.ts'
import { usePopovers } from './popover-context.ts'
import type { PostActionsProps } from './post-actions.tsx'
import { PostMenuContext, type OpenPostMenu } from './post-menu-context.ts'
import styles from './post-view.module.css'
import { useThreadActions } from './thread-context.ts'

/** A press on touch screens that is held for this long is a long press. */
const LONG_PRESS_MS = 500
/** A finger that moves further scrolls. */
const STILL_PX = 10

/** Where the actions of a post are shown beside it while the mouse or the focus is on the post. */
const WITH_MOUSE = '(hover: hover) and (pointer: fine) and (min-width: 600px)'

const NAME = `article[data-post] .${styles['named']}`

const loadActions = async () => (await loadChunk(() => import('./post-actions.tsx'))).PostActions

const articleOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('article[data-post]') : null

const numberOf = (target: EventTarget | null): number | null => {
  const article = articleOf(target)
  return article === null ? null : Number(article.id)
}

/** Neither a text, which a long press selects, nor a control or an image. */
const isPaper = (target: Element): boolean =>
  target.closest('a, button') === null && (target.matches('article') || target.closest('header') !== null)

/**
 * The actions of all posts of a thread (返信, 通報 and others): one menu, opened by the number of a
 * post or by a long press on its line, and with a mouse also the same actions beside the post. They
 * are loaded when they are first shown. A press on a name, or on an ID wherever it stands, shows
 * the posts of that person.
 */
export function PostMenus({ children }: { children: ReactNode }) {
  const { findPost, goTo, extract } = useThreadActions()
  const { closeAll } = usePopovers()
  const [Actions, setActions] = useState<ComponentType<PostActionsProps> | null>(null)
  const [menu, setMenu] = useState<{ post: Post; anchor: HTMLElement } | null>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const [focused, setFocused] = useState<number | null>(null)

  const opened = useRef<HTMLElement | null>(null)
  const close = useCallback(() => {
    opened.current?.removeAttribute('aria-expanded')
    opened.current = null
    setMenu(null)
  }, [])
  const open = useCallback<OpenPostMenu>(
    (post, anchor) => {
      const isOpen = opened.current === anchor
      close()
      if (isOpen) return
      loadActions().then(
        (loaded) => {
          opened.current = anchor
          anchor.setAttribute('aria-expanded', 'true')
          setActions(() => loaded)
          setMenu({ post, anchor })
        },
        // The number is a link to the post.
        () => goTo(post.number),
      )
    },
    [close, goTo],
  )

  const isBeside = hovered !== null || focused !== null
  useEffect(() => {
    if (!isBeside || Actions !== null) return
    // Without them the number still opens the menu, and tries again.
    void loadActions().then(
      (loaded) => setActions(() => loaded),
      () => {},
    )
  }, [isBeside, Actions])

  useEffect(() => {
    const media = matchMedia(WITH_MOUSE)
    const onPointerOver = ({ target, pointerType }: PointerEvent) =>
      setHovered(pointerType === 'mouse' && media.matches ? numberOf(target) : null)
    const onFocusIn = ({ target }: FocusEvent) => {
      // A dialog gives the focus back to the button that opened it.
      if (target instanceof Element && target.closest('dialog, [popover]') !== null) return
      setFocused(media.matches ? numberOf(target) : null)
    }
    document.addEventListener('pointerover', onPointerOver)
    document.addEventListener('focusin', onFocusIn)
    const stop = watchLongPresses((number, anchor) => {
      const post = findPost(number)
      if (post !== undefined && !post.deleted) open(post, anchor)
    })
    return () => {
      document.removeEventListener('pointerover', onPointerOver)
      document.removeEventListener('focusin', onFocusIn)
      stop()
    }
  }, [findPost, open])

  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element)) return
      const id = target.closest<HTMLElement>('[data-poster]')?.dataset['poster']
      if (id !== undefined) {
        closeAll()
        return extract({ kind: 'id', id })
      }
      const number = target.closest(NAME) === null ? null : numberOf(target)
      const writer = number === null ? undefined : findPost(number)
      // A selected name is copied.
      if (writer !== undefined && getSelection()?.isCollapsed !== false) extract({ kind: 'writer', writer })
    }
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [findPost, extract, closeAll])

  const beside = useMemo(() => [...new Set([hovered, focused])].filter((number) => number !== null), [hovered, focused])
  return (
    <PostMenuContext value={open}>
      {children}
      {Actions !== null && (
        <>
          {beside.map((number) => (
            <Actions key={number} post={findPost(number)} />
          ))}
          {menu !== null && <Actions key="menu" post={menu.post} anchor={menu.anchor} onClose={close} />}
        </>
      )}
    </PostMenuContext>
  )
}

function watchLongPresses(onLongPress: (number: number, anchor: HTMLElement) => void): () => void {
  const stop = new AbortController()
  const { signal } = stop
  let timer: ReturnType<typeof setTimeout> | undefined
  let from = { x: 0, y: 0 }
  let isHeld = false
  const cancel = () => clearTimeout(timer)
  const onPointerDown = (event: PointerEvent) => {
    cancel()
    isHeld = false
    const { target } = event
    const article = articleOf(target)
    if (event.pointerType !== 'touch' || article === null || !isPaper(target as Element)) return
    from = { x: event.clientX, y: event.clientY }
    const anchor = article.querySelector<HTMLElement>('[data-number]')
    if (anchor === null) return
    timer = setTimeout(() => {
      isHeld = true
      onLongPress(Number(article.id), anchor)
    }, LONG_PRESS_MS)
  }
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - from.x, clientY - from.y) > STILL_PX) cancel()
  }
  // Lifting the finger would focus the post and take the focus from its menu.
  const onTouchEnd = (event: TouchEvent) => isHeld && event.cancelable && event.preventDefault()
  document.addEventListener('touchend', onTouchEnd, { signal, passive: false })
  document.addEventListener('pointerdown', onPointerDown, { signal })
  document.addEventListener('pointermove', onPointerMove, { signal })
  for (const type of ['pointerup', 'pointercancel', 'scroll'] as const) {
    document.addEventListener(type, cancel, { signal })
  }
  return () => {
    cancel()
    stop.abort()
  }
}
