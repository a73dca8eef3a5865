/** Keeps the page while the server is away: the browser's own error would take its place. */
import { useEffect } from 'react'
import { useToast } from '@/ui/toasts'

const waitMs = 3_000

/** While `isAway`, a link to this origin is followed only once the server responds. */
export function useHeldLinks(isAway: boolean): void {
  const toast = useToast()
  useEffect(() => {
    if (!isAway) return
    let passing: Element | undefined
    async function onClick(event: MouseEvent): Promise<void> {
      const link = linkOf(event)
      if (!link) return
      if (link === passing) {
        passing = undefined
        return
      }
      event.preventDefault()
      event.stopPropagation()
      if (await responds()) {
        passing = link
        link.click()
      } else toast('The server does not respond. This page stays until it does.')
    }
    document.addEventListener('click', onClick, true)
    return () => document.removeEventListener('click', onClick, true)
  }, [isAway, toast])
}

/** The link that a plain click follows in this tab, if it leads to this origin. */
function linkOf({ target, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || !(target instanceof Element)) return null
  return target.closest<HTMLAnchorElement>('a[href^="/"]:not([target])')
}

/** Whether anything responds, whatever it is. */
function responds(): Promise<boolean> {
  const signal = AbortSignal.timeout(waitMs)
  return fetch('/favicon.ico', { method: 'HEAD', cache: 'no-store', signal }).then(
    () => true,
    () => false,
  )
}
