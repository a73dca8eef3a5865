'use client'
/** Whether the window is as narrow as a phone's. */
import { useSyncExternalStore } from 'react'

/** Below the width that classes call `md`. */
const query = '(width < 48rem)'

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

export function useNarrow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
}
