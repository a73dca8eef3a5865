'use client'
/** The pages of a team or a project, as links below the header. */
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { classNames } from '@/lib/class-names'
import type { Route } from '@/lib/route'
import { useTabs } from './tab-list'

/** The tabs of a page, with its own marked. */
export function Tabs({ route }: { route: Route }) {
  const path = usePathname()
  const tabs = useTabs(route)
  const list = useRef<HTMLUListElement>(null)
  const own = tabs.findLast(({ href }, index) => (index === 0 ? path === href : path.startsWith(href)))
  const ownHref = own?.href
  useEffect(() => {
    if (ownHref === undefined) return
    // On a phone the row is wider than the window.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [ownHref])
  return (
    <nav aria-label={route.project === undefined ? 'Team' : 'Project'} className="-mb-px overflow-x-auto">
      <ul ref={list} className="flex gap-1">
        {tabs.map(({ label, href, key }) => (
          <li key={href}>
            <Link
              href={href}
              prefetch={false}
              title={`g ${key}`}
              aria-current={own?.href === href ? 'page' : undefined}
              className={classNames(
                'block whitespace-nowrap border-b-2 px-2.5 py-2',
                own?.href === href
                  ? 'border-accent font-medium text-text forced-colors:border-[Highlight]'
                  : 'border-transparent text-dim hover:text-text forced-colors:border-[Canvas]',
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
