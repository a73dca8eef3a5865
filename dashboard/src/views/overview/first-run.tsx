'use client'
/**
 * For a team without projects: the ways to a first site. The project that appears takes the place of this
 * page.
 */
import Link from 'next/link'
import { classNames } from '@/lib/class-names'
import { teamPath } from '@/lib/paths'
import { useMounted, useRequiredRoute } from '@/lib/route'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { Snippet } from '@/ui/copy'
import type { Chosen } from '../drop/chosen'
import { DropFrame } from '../drop/drop-frame'

type Props = {
  onChosen: (chosen: Chosen) => void
  /** Undefined for whoever may not connect repositories. */
  onImport: (() => void) | undefined
}

export function FirstRun({ onChosen, onImport }: Props) {
  const { team } = useRequiredRoute()
  const origin = useMounted() ? location.origin : ''
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <div className={classNames('grid', onImport && 'lg:row-span-2')}>
        <DropFrame onChosen={onChosen} />
      </div>
      {onImport && (
        <Card>
          <h2 className="font-semibold">From a repository</h2>
          <p className="mt-1 mb-3 text-dim">
            At GitHub, GitLab, Gitea or Forgejo. Its production branch is built and deployed at once, and from
            then on whatever is pushed.
          </p>
          <Button onClick={onImport}>Import a repository</Button>
        </Card>
      )}
      <Card>
        <h2 className="font-semibold">With the command</h2>
        <p className="mt-1 mb-3 text-dim">
          In the directory of a site. The second line opens this server to the command with an{' '}
          <Link href={teamPath(team, 'settings', 'keys')} className="text-accent underline">
            API key
          </Link>
          .
        </p>
        <Snippet
          label="Copy the commands"
          text={
            `npm install -g ${origin}/svc.tgz\n` +
            `svc login --url ${origin}\nsvc deploy --prod --project my-site`
          }
        />
        <p className="mt-3 text-dim">
          Other ways are in the{' '}
          <a href="/docs/deploying" className="text-accent underline">
            documentation
          </a>
          . This page follows along: the project appears here by itself.
        </p>
      </Card>
    </div>
  )
}
