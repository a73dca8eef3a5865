'use client'
/** The head of a page. */
import type { ReactNode } from 'react'

type PageProps = {
  title: string
  /** In the tab of the browser, if it is another than the title. */
  tabTitle?: string
  note?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page with a heading, and a title for the browser's tab. */
export function Page({ title, tabTitle = title, note, actions, children }: PageProps) {
  return (
    <>
      <title>{`${tabTitle} · svc`}</title>
      <div className="mb-6 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="truncate font-semibold text-xl">{title}</h1>
          {note && <div className="mt-0.5 text-dim">{note}</div>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </>
  )
}
