/** The name servers of the service, as the alternative to records elsewhere. */
import Link from 'next/link'
import { Card } from '@/ui/card'
import { Copyable } from '@/ui/copy'

export function NameServers({ names }: { names: string[] }) {
  if (names.length === 0) return null
  return (
    <Card className="mt-3">
      <h3 className="font-medium">Or delegate it to these name servers</h3>
      <p className="max-w-prose text-dim">
        Set them at the registrar. The zone is then served from here, with all its{' '}
        <Link href="?tab=records" prefetch={false} className="text-accent underline">
          records
        </Link>
        : import those of the present provider first.{' '}
        <a href="/docs/dns" className="text-accent underline">
          How to move a zone
        </a>
      </p>
      <ul className="mt-2 grid gap-1">
        {names.map((name) => (
          <li key={name} className="flex min-w-0">
            <Copyable text={name} label={`Copy ${name}`} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
