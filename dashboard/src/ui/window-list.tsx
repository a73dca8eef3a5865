'use client'
/** A long list of which only the part in the window is in the page. */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

type WindowListProps<Item> = {
  /** The name of the entries, for screen readers. */
  label: string
  items: Item[]
  /** In pixels; all are equally high. */
  rowHeight: number
  keyOf: (item: Item) => string
  children: (item: Item, index: number) => ReactNode
}

export function WindowList<Item>({ label, items, rowHeight, keyOf, children }: WindowListProps<Item>) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: top,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
  })
  return (
    <ul
      ref={list}
      aria-label={label}
      className="relative rounded-lg border border-line bg-surface"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const item = items[index]
        if (item === undefined) return null
        return (
          <li
            key={key}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0 border-line border-b last:border-b-0"
            style={{ height: rowHeight, transform: `translateY(${start - top}px)` }}
          >
            {children(item, index)}
          </li>
        )
      })}
    </ul>
  )
}
