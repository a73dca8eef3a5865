'use client'
/** Makes the whole page a place to drop a folder or a zip. */
import { useEffect, useState } from 'react'
import { type Chosen, chosenOf } from './chosen'
import { readDrop } from './read-drop'

type Props = {
  /** Shown over the page while something is dragged: what dropping it does. */
  title: string
  onChosen: (chosen: Chosen) => void
  onProblem: (error: unknown) => void
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

export function DropTarget({ title, onChosen, onProblem }: Props) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    // Each element below the pointer has an event of its own.
    let depth = 0
    const move = (by: number) => {
      depth = by === 0 ? 0 : depth + by
      setOver(depth > 0)
    }
    const enter = (event: DragEvent) => hasFiles(event) && move(1)
    const leave = (event: DragEvent) => hasFiles(event) && move(-1)
    const over = (event: DragEvent) => hasFiles(event) && event.preventDefault()
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer || !hasFiles(event)) return
      event.preventDefault()
      move(0)
      readDrop(event.dataTransfer.items).then(chosenOf).then(onChosen, onProblem)
    }
    const listeners = { dragenter: enter, dragleave: leave, dragover: over, drop }
    const names = ['dragenter', 'dragleave', 'dragover', 'drop'] as const
    for (const name of names) addEventListener(name, listeners[name])
    return () => {
      for (const name of names) removeEventListener(name, listeners[name])
    }
  }, [onChosen, onProblem])
  if (!isOver) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-page/80 p-6">
      <p
        className={
          'rounded-lg border-2 border-accent border-dashed bg-surface px-10 py-12 font-semibold text-lg'
        }
      >
        {title}
      </p>
    </div>
  )
}
