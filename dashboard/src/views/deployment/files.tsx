'use client'
/** The files of a deployment. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/lib/api'
import { size } from '@/lib/format'
import { byCursor } from '@/lib/pages'
import { Empty } from '@/ui/empty'
import { Pages } from '@/ui/loaded'
import { SearchField } from '@/ui/search-field'
import { WindowList } from '@/ui/window-list'
import type { DeploymentRecord } from '../deployments/about'

const rowHeight = 40
const pageSize = 500

export function Files({ deployment: { id, url, state } }: { deployment: DeploymentRecord }) {
  const trpc = useTRPC()
  const [q, setQ] = useState('')
  const files = useInfiniteQuery(
    trpc.deployments.files.infiniteQueryOptions(
      { deployment: id, limit: pageSize, ...(q !== '' && { q }) },
      { ...byCursor, placeholderData: (before) => before },
    ),
  )
  const isServed = state === 'ready'
  return (
    <>
      <div className="mb-4">
        <SearchField label="Search files" value={q} onChange={setQ} />
      </div>
      <Pages query={files} empty={<Empty title={q === '' ? 'No files' : `No file has “${q}” in its path`} />}>
        {(items) => (
          <WindowList label="Files" items={items} rowHeight={rowHeight} keyOf={({ path }) => path}>
            {({ path, size: bytes, type }) => (
              <div className="flex h-10 items-center gap-4 px-4">
                {isServed ? (
                  <a
                    href={addressOf(url, path)}
                    className="min-w-0 flex-1 truncate font-mono text-xs hover:underline"
                  >
                    {path}
                  </a>
                ) : (
                  <span className="min-w-0 flex-1 truncate font-mono text-xs">{path}</span>
                )}
                <span className="truncate text-dim max-sm:hidden">{type}</span>
                <span className="w-24 text-right tabular-nums">{size(bytes)}</span>
              </div>
            )}
          </WindowList>
        )}
      </Pages>
    </>
  )
}

function addressOf(url: string, path: string): string {
  return new URL(`/${path.split('/').map(encodeURIComponent).join('/')}`, url).href
}
