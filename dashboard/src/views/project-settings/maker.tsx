/** Who made something that acts in the maker's name, and why it has ended, if it has. */
import { visibleLine } from '@/lib/visible'

type Made = { created_by_name: string; ended: { message: string } | null }

export function Maker({ made: { created_by_name, ended } }: { made: Made }) {
  return (
    <>
      <span className="block truncate">{visibleLine(created_by_name)}</span>
      {ended && <span className="block text-dim">Ended. {ended.message}</span>}
    </>
  )
}
