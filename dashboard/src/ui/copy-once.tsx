'use client'
/** A value that is shown once, to be copied. */
import type { ReactNode } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'

type CopyOnceProps = {
  title: string
  note: string
  wide?: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog that goes only once somebody says that the copy is made. */
export function CopyOnce({ children, onClose, ...texts }: CopyOnceProps) {
  return (
    <Dialog {...texts} onClose={onClose}>
      <div className="grid gap-4">
        {children}
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
