/**
 * Viewer for the images of a thread: swipe to the next, zoom with two fingers, a double tap or the
 * wheel. Its code is loaded when the first one is opened.
 */
import type { Post } from '@shinobi/contract/posts'
import PhotoSwipe, { type SlideData } from 'photoswipe'
import 'photoswipe/style.css'
import { NAMELESS } from '@shinobi/contract/nameless'
import { motionIsReduced } from '../../ui/motion.ts'
import styles from './image-viewer.module.css'

/** A post with an image of known dimensions. */
export type Pictured = Post & { readonly imageUrl: string; readonly imageWidth: number; readonly imageHeight: number }

/** @param thumbnailOf the thumbnail on the page, from which the opening animation starts */
export function openImageViewer(
  posts: readonly Pictured[],
  index: number,
  thumbnailOf: (post: Post) => HTMLElement | null,
): void {
  // A native dialog keeps the focus inside, restores it, and closes by the back gesture of phones.
  const dialog = document.createElement('dialog')
  dialog.className = styles['viewer']!
  dialog.ariaLabel = '画像'
  document.body.append(dialog)
  const viewer = new PhotoSwipe({
    dataSource: posts.map((post): SlideData => {
      const element = thumbnailOf(post)
      return {
        src: post.imageUrl,
        width: post.imageWidth,
        height: post.imageHeight,
        alt: `${post.number}の画像`,
        ...(post.thumbnailUrl !== null && { msrc: post.thumbnailUrl }),
        ...(element !== null && { element }),
      }
    }),
    index,
    appendToEl: dialog,
    // The dialog does both.
    trapFocus: false,
    returnFocus: false,
    escKey: false,
    showHideAnimationType: motionIsReduced() ? 'none' : 'zoom',
    bgOpacity: 0.94,
    wheelToZoom: true,
    closeTitle: '閉じる',
    zoomTitle: '拡大・縮小',
    arrowPrevTitle: '前の画像',
    arrowNextTitle: '次の画像',
    indexIndicatorSep: ' / ',
    errorMsg: '画像を読み込めませんでした。',
  })
  const postOf = (): Pictured => posts[viewer.currIndex]!
  viewer.on('uiRegister', () => {
    viewer.ui?.registerElement({
      name: 'shinobi-post',
      order: 7,
      appendTo: 'bar',
      className: styles['post']!,
      onInit(element) {
        element.setAttribute('aria-live', 'polite')
        const say = () => {
          const { number, name } = postOf()
          element.textContent = `${number} ${name ?? NAMELESS}`
        }
        viewer.on('change', say)
      },
    })
    viewer.ui?.registerElement({
      name: 'shinobi-original',
      order: 8,
      isButton: true,
      tagName: 'a',
      title: '原寸で開く',
      className: styles['original']!,
      html: '原寸',
      onInit(element) {
        const link = element as HTMLAnchorElement
        link.target = '_blank'
        link.rel = 'noopener'
        viewer.on('change', () => {
          link.href = postOf().imageUrl
        })
      },
    })
  })
  // PhotoSwipe does not close during its opening animation.
  let isOpening = true
  let isClosing = false
  const close = (): void => {
    isClosing = true
    if (!isOpening) viewer.close()
  }
  viewer.on('openingAnimationEnd', () => {
    isOpening = false
    if (isClosing) viewer.close()
  })
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    close()
  })
  // The browser closes it at the second press of Esc, whatever `cancel` says.
  dialog.addEventListener('close', close)
  viewer.on('destroy', () => {
    dialog.close()
    dialog.remove()
  })
  dialog.showModal()
  viewer.init()
}
