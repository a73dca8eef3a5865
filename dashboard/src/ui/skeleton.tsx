/** Holds the place of what is being fetched. */
import { classNames } from '@/lib/class-names'

/** A grey box; give its size with `className`. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={classNames('animate-pulse motion-reduce:animate-none rounded bg-sunken', className)}
    />
  )
}

/** As many rows of a list. */
export function SkeletonRows({ rows = 5 }: { rows?: number }) {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((row) => (
        <div key={row} className="flex h-13 items-center gap-4 px-4">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-1/5" />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  )
}
