/** Light, dark, or as the system. `public/theme.js` applies the choice before the first paint. */
import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark' | 'system'

const listeners = new Set<() => void>()

function readTheme(): Theme {
  const stored = localStorage.getItem('theme')
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Applies and keeps the choice. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem('theme')
  else localStorage.setItem('theme', theme)
  apply()
  for (const each of listeners) each()
}

function apply(): void {
  const theme = readTheme()
  const isDark =
    theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', apply)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', apply)
  }
}

/** The choice; `system` until the page is hydrated. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme, () => 'system')
}
