/** Tables that become lists of cards on a phone. */
import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'

type TableProps = {
  /** What the rows are, for screen readers. */
  label: string
  columns: string[]
  children: ReactNode
}

/** A table; the rows are `Row`s with as many `Cell`s as there are columns. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table aria-label={label} className="w-full border-collapse text-left max-sm:block">
        <thead className="border-line border-b bg-sunken text-dim text-xs max-sm:sr-only">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-4 py-2 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-sm:block">{children}</tbody>
      </table>
    </div>
  )
}

export function Row({ children }: { children: ReactNode }) {
  return <tr className="max-sm:flex max-sm:flex-col max-sm:gap-1 max-sm:px-4 max-sm:py-3">{children}</tr>
}

type CellProps = { children?: ReactNode; className?: string; colSpan?: number }

export function Cell({ children, className, colSpan }: CellProps) {
  return (
    <td
      colSpan={colSpan}
      className={classNames(
        'px-4 py-2.5 align-middle max-sm:block max-sm:px-0 max-sm:py-0 max-sm:empty:hidden',
        className,
      )}
    >
      {children}
    </td>
  )
}
