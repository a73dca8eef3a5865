/** Warnings, each on its own. */
import { Icon } from './icons'

export function WarningList({ texts }: { texts: string[] }) {
  if (texts.length === 0) return null
  return (
    <ul className="grid gap-2">
      {texts.map((text) => (
        <li key={text} className="flex gap-2 rounded-md bg-warn-soft px-3 py-2">
          <Icon name="alert" className="mt-0.5 text-warn" />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
