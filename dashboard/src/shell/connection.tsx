'use client'
/** Says when the page can't be current: offline, or the server away. */
import { useSyncExternalStore } from 'react'
import { useLiveState } from '@/lib/live'
import { Badge } from '@/ui/badge'
import { useHeldLinks } from './use-held-links'

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

const useOnline = () =>
  useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )

export function Connection() {
  const isOnline = useOnline()
  const live = useLiveState()
  useHeldLinks(!isOnline || live === 'polling')
  const text = isOnline ? (live === 'polling' ? 'Reconnecting…' : undefined) : 'Offline'
  return <div role="status">{text && <Badge tone="warn">{text}</Badge>}</div>
}
