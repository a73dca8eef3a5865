'use client'
/** The log of a build, as it is written. */
import { useState } from 'react'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Problem } from '@/ui/problem'
import { SearchField } from '@/ui/search-field'
import { Spinner } from '@/ui/spinner'
import { LogLines } from './log-lines'
import { plainText } from './plain-text'
import { type BuildLog as Log, useBuildLog } from './use-build-log'

type BuildLogProps = { deployment: string; isUnfinished: boolean }

export function BuildLog({ deployment, isUnfinished }: BuildLogProps) {
  const log = useBuildLog(deployment, isUnfinished)
  const [search, setSearch] = useState('')
  return (
    <div>
      <div className="mb-4 flex items-start gap-2">
        <SearchField label="Search the log" value={search} onChange={setSearch} />
        {log.lines.length > 0 && <Download deployment={deployment} lines={log.lines} />}
      </div>
      {log.error !== null && <Problem error={log.error} title="The log could not be read" />}
      {log.lines.length === 0 ? (
        <NoLines isFollowing={log.isFollowing} />
      ) : (
        <LogLines lines={log.lines} search={search} label="Build log" />
      )}
    </div>
  )
}

function NoLines({ isFollowing }: { isFollowing: boolean }) {
  return (
    <p className="flex items-center gap-2 text-dim">
      {isFollowing ? (
        <>
          <Spinner /> Waiting for output
        </>
      ) : (
        'Nothing was written.'
      )}
    </p>
  )
}

function Download({ deployment, lines }: { deployment: string; lines: Log['lines'] }) {
  const download = () => {
    const text = lines.map(({ message }) => `${plainText(message)}\n`).join('')
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${deployment}.log`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <Button look="quiet" onClick={download}>
      <Icon name="download" /> Download
    </Button>
  )
}
