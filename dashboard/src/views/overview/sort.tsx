'use client'
/** The order of projects, which the browser keeps. */
import { useSyncExternalStore } from 'react'

type Sort = 'activity' | 'name'

const key = 'svc.projects.sort'
const changes = new EventTarget()

function subscribe(listener: () => void): () => void {
  changes.addEventListener('change', listener)
  return () => changes.removeEventListener('change', listener)
}

function read(): Sort {
  return localStorage.getItem(key) === 'name' ? 'name' : 'activity'
}

function write(sort: Sort): void {
  localStorage.setItem(key, sort)
  changes.dispatchEvent(new Event('change'))
}

/** The order, and a function that changes it. */
export function useSort(): [Sort, (sort: Sort) => void] {
  return [useSyncExternalStore(subscribe, read, () => 'activity'), write]
}

export function SortChoice({ value, onChange }: { value: Sort; onChange: (sort: Sort) => void }) {
  return (
    <label className="flex items-center gap-2 text-dim">
      Sort
      <select
        value={value}
        onChange={(event) => onChange(event.target.value === 'name' ? 'name' : 'activity')}
        className="h-8 rounded-md border border-line-strong bg-surface px-2 text-text"
      >
        <option value="activity">Latest deployed</option>
        <option value="name">By name</option>
      </select>
    </label>
  )
}
