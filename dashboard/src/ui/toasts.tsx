'use client'
/** Short messages at the edge of the window, about what was just done. */
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { IconButton } from './button'
import { Icon } from './icons'

type Toast = { id: number; text: string }

const visibleMs = 5_000
const ToastContext = createContext<(text: string) => void>(() => {})

/** A function that shows a message for five seconds. */
export const useToast = () => useContext(ToastContext)

let lastId = 0

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const remove = useCallback((id: number) => setToasts((all) => all.filter((each) => each.id !== id)), [])
  const show = useCallback(
    (text: string) => {
      lastId += 1
      const id = lastId
      setToasts((all) => [...all.slice(-2), { id, text }])
      setTimeout(() => remove(id), visibleMs)
    },
    [remove],
  )
  return (
    <ToastContext.Provider value={show}>
      {children}
      <div role="status" className="fixed right-4 bottom-4 z-50 grid gap-2">
        {toasts.map(({ id, text }) => (
          <div
            key={id}
            className={
              'flex items-center gap-3 rounded-md border border-line bg-surface ' +
              'py-1.5 pr-1.5 pl-3 shadow-lg'
            }
          >
            {text}
            <IconButton label="Dismiss" className="size-6" onClick={() => remove(id)}>
              <Icon name="close" />
            </IconButton>
          </div>
        ))}
      </div>
    </ToastContext.Provider>
  )
}
