/** Tables that become lists of cards on a phone. */
import { Children, createContext, type ReactNode, useContext } from 'react'
import { classNames } from '@/lib/class-names'

const ColumnsContext = createContext<string[]>([])
/** The name of a cell's column, where a phone shows it beside the cell. */
const ColumnContext = createContext<string | undefined>(undefined)

type TableProps = {
  /** The name of the rows, for screen readers. */
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
            {columns.map((column) =>
              // A header without a word is none.
              column === '' ? (
                <td key={column} />
              ) : (
                <th key={column} scope="col" className="px-4 py-2 font-medium">
                  {column}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-sm:block">
          <ColumnsContext value={columns}>{children}</ColumnsContext>
        </tbody>
      </table>
    </div>
  )
}

/** On a phone its first cell is the heading of a card, and the others have the names of their columns. */
export function Row({ children }: { children: ReactNode }) {
  const columns = useContext(ColumnsContext)
  return (
    <tr className="max-sm:flex max-sm:flex-col max-sm:gap-1 max-sm:px-4 max-sm:py-3">
      {Children.map(children, (cell, at) => (
        <ColumnContext value={at === 0 ? undefined : columns[at]}>{cell}</ColumnContext>
      ))}
    </tr>
  )
}

type CellProps = { children?: ReactNode; className?: string; colSpan?: number }

export function Cell({ children, className, colSpan }: CellProps) {
  const column = useContext(ColumnContext)
  const hasLabel = Boolean(column) && Boolean(children)
  return (
    <td
      colSpan={colSpan}
      className={classNames(
        'px-4 py-2.5 align-middle max-sm:block max-sm:px-0 max-sm:py-0 max-sm:empty:hidden',
        className,
      )}
    >
      {hasLabel && <span className="mr-2 text-dim text-xs sm:hidden">{column}</span>}
      {children}
    </td>
  )
}
