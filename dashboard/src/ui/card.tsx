/** A framed part of a page. */
import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'

type CardProps = { children: ReactNode; className?: string }

/** A frame with padding. */
export function Card({ children, className }: CardProps) {
  return (
    <div className={classNames('rounded-lg border border-line bg-surface p-4', className)}>{children}</div>
  )
}

type SectionProps = {
  title: string
  /** Below the title: what this part is for. */
  note?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A part of a page with a heading of the second level. */
export function Section({ title, note, actions, children }: SectionProps) {
  return (
    <section className="mt-8 first:mt-0">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-2">
        <div>
          <h2 className="font-semibold text-base">{title}</h2>
          {note && <p className="max-w-prose text-dim">{note}</p>}
        </div>
        {actions && <div className="flex gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
