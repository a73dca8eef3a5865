/** The header of every page, and the place below it. */
import Link from 'next/link'
import type { ReactNode } from 'react'
import { SkeletonRows } from '@/ui/skeleton'

type FrameProps = {
  breadcrumb?: ReactNode
  tools?: ReactNode
  /** Its place is kept until it is known; null where there is none. */
  tabs?: ReactNode
  children?: ReactNode
}

/** A page with its header; without children the place of one that is not known yet. */
export function Frame({ breadcrumb, tools, tabs, children }: FrameProps) {
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-line border-b bg-surface">
        <div className="mx-auto max-w-6xl px-4">
          <div className="flex h-12 items-center gap-2">
            <Link href="/" prefetch={false} aria-label="svc: all teams" className="rounded p-1">
              <Logo />
            </Link>
            <span aria-hidden="true" className="text-line-strong">
              /
            </span>
            {breadcrumb}
            <div className="ml-auto flex items-center gap-2">{tools}</div>
          </div>
          {tabs !== null && <div className="h-[2.4rem]">{tabs}</div>}
        </div>
      </header>
      <main id="main" className="mx-auto max-w-6xl px-4 py-6">
        {children ?? <SkeletonRows />}
      </main>
    </>
  )
}

function Logo() {
  return (
    <svg
      viewBox="0 0 16 16"
      width="20"
      height="20"
      aria-hidden="true"
      className="fill-none stroke-[2.4] stroke-accent"
    >
      <path strokeLinecap="round" d="M13 3H5.5a2.5 2.5 0 0 0 0 5h5a2.5 2.5 0 0 1 0 5H3" />
    </svg>
  )
}
