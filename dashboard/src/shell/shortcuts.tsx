'use client'
/** Keys that work on every page: ⌘K or Ctrl K, `/`, `?`, and `g` with a letter. */
import { useRouter } from 'next/navigation'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Route } from '@/lib/route'
import { Icon } from '@/ui/icons'
import { type Tab, useTabs } from './tab-list'

const Palette = lazy(() => import('./palette/palette').then((module) => ({ default: module.Palette })))
const ShortcutList = lazy(() =>
  import('./shortcut-list').then((module) => ({ default: module.ShortcutList })),
)

type Open = 'palette' | 'help' | undefined

/** The search button; listens to the keys. */
export function Shortcuts({ route }: { route: Route }) {
  const router = useRouter()
  const [open, setOpen] = useState<Open>()
  const [text, setText] = useState('')
  const isPalette = useRef(false)
  const isGoing = useRef(false)
  const tabs = useRef<Tab[]>([])
  tabs.current = useTabs(route)

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { key } = event
      if (key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) openPalette()
      else if (isTyping(event)) return
      // Its field isn't there yet.
      else if (isPalette.current && key.length === 1) setText((before) => before + key)
      else if (key === '/') focusSearch(openPalette)
      else if (key === '?') setOpen('help')
      else if (isGoing.current) go(key)
      else {
        isGoing.current = key === 'g'
        return
      }
      isGoing.current = false
      event.preventDefault()
    }
    function openPalette(): void {
      isPalette.current = true
      setOpen('palette')
    }
    function go(key: string): void {
      const tab = tabs.current.find((each) => each.key === key)
      if (tab) router.push(tab.href)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [router])

  const close = () => {
    isPalette.current = false
    setOpen(undefined)
    setText('')
  }
  return (
    <>
      <button
        type="button"
        title="Search (⌘K or Ctrl K)"
        onClick={() => {
          isPalette.current = true
          setOpen('palette')
        }}
        className="flex h-8 items-center gap-2 rounded-md border border-line px-2 text-dim hover:bg-sunken"
      >
        <Icon name="search" />
        <span className="max-sm:sr-only">Search</span>
        <kbd className="font-mono text-xs max-sm:hidden">Ctrl K</kbd>
      </button>
      <Suspense>
        {open === 'palette' && <Palette team={route.team} text={text} onText={setText} onClose={close} />}
        {open === 'help' && <ShortcutList route={route} onClose={close} />}
      </Suspense>
    </>
  )
}

/** In a field, letters are text; with other keys held, they are the browser's. */
function isTyping({ target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (metaKey || ctrlKey || altKey) return true
  return target instanceof HTMLElement && target.closest('input, textarea, select, [role=menu]') !== null
}

/** The search field of the page, if it has one. */
function focusSearch(otherwise: () => void): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field) field.focus()
  else otherwise()
}
