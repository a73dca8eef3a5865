'use client'
/** The states of a query: loading, failed, and its data. */
import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useRef } from 'react'
import { statusOf } from '@/lib/api-error'
import { Empty } from './empty'
import { Problem } from './problem'
import { SkeletonRows } from './skeleton'

type LoadedProps<Data> = {
  query: UseQueryResult<Data, unknown>
  /** A skeleton of the shape of the data. */
  skeleton?: ReactNode
  /** In the tab of the browser while there is no data, whose page has a title of its own. */
  title?: string
  children: (data: Data) => ReactNode
}

/** The data, once there is some: an error of a later fetch stands above it. */
export function Loaded<Data>({ query, skeleton = <SkeletonRows />, title, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query
  const isSkeleton = useSkeleton(query)
  const tab = title !== undefined && <title>{`${title} · svc`}</title>
  if (isSkeleton) {
    return (
      <>
        {tab}
        {skeleton}
      </>
    )
  }
  const problem = error !== null && <ReadProblem error={error} retry={refetch} />
  // What was deleted meanwhile is not shown further.
  if (data === undefined || statusOf(error) === 404) {
    return (
      <>
        {tab}
        {problem}
      </>
    )
  }
  return (
    <>
      {problem}
      {children(data)}
    </>
  )
}

/**
 * Whether the skeleton of `Loaded` stands, which what is below it has to wait for, since it would jump: until
 * the first data is rendered, in slices, so that nobody waits who scrolls or types. What comes later is shown
 * at once, since what was there before may be of another query.
 */
export function useSkeleton({ data, isPending }: { data: unknown; isPending: boolean }): boolean {
  const hasData = data !== undefined
  const hadData = useDeferredValue(hasData)
  return isPending || (hasData && !hadData)
}

function ReadProblem({ error, retry }: { error: unknown; retry: () => void }) {
  if (statusOf(error) === 404) {
    return <Empty title="Not found">It may have been deleted, or belongs to another team.</Empty>
  }
  return <Problem error={error} retry={retry} />
}

type Paged<Item> = { pages: { data: Item[] }[] }

type PagesProps<Item> = {
  query: UseInfiniteQueryResult<Paged<Item>, unknown>
  skeleton?: ReactNode
  /** In place of a list without entries. */
  empty: ReactNode
  children: (items: Item[]) => ReactNode
}

/** A list in pages, whose next one is fetched when the end comes into view. */
export function Pages<Item>({ query, skeleton = <SkeletonRows />, empty, children }: PagesProps<Item>) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const isSkeleton = useSkeleton(query)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = end.current
    if (!element || !hasNextPage) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting && !isFetchingNextPage && error === null) fetchNextPage()
      },
      { rootMargin: '600px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, error])

  if (isSkeleton) return skeleton
  const items = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      {error !== null && <ReadProblem error={error} retry={refetch} />}
      {data && (items.length > 0 ? children(items) : empty)}
      <div ref={end}>{isFetchingNextPage && <SkeletonRows rows={2} />}</div>
    </>
  )
}
