'use client'
/** A line with its fields. */
import { useEffect } from 'react'
import type { LogLine } from '@/lib/follow-logs'
import { exactTime } from '@/lib/format'
import { Button } from '@/ui/button'
import { Copyable, Snippet } from '@/ui/copy'
import { Dialog } from '@/ui/dialog'
import { LineFields } from './line-fields'
import { requestOf } from './request-of'
import { textOf } from './text-of'

type LineDialogProps = {
  line: LogLine
  /** Goes to the line before (-1) or after (1). */
  onMove: (step: number) => void
  onFilter: (changes: Record<string, string>) => void
  onClose: () => void
}

export function LineDialog({ line, onMove, onFilter, onClose }: LineDialogProps) {
  const { time_ms, kind, level, project, deployment, fields } = line
  const { status: _status, host: _host, ...rest } = fields
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      if (step === undefined) return
      event.preventDefault()
      onMove(step)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [onMove])
  const request = requestOf(line)
  const filterable = [
    { name: 'kind', value: kind },
    { name: 'level', value: level },
    { name: 'project', value: project },
    { name: 'deployment', value: deployment },
    { name: 'status', value: request ? String(request.status) : null },
    { name: 'host', value: request?.host || null },
  ]
  return (
    <Dialog title="Line" note="↑ and ↓ go to the lines beside it." onClose={onClose} wide>
      <div className="grid gap-4">
        <Snippet text={textOf(line)} label="Copy the message" />
        <dl className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[8rem_1fr_auto]">
          <dt className="text-dim">time</dt>
          <dd className="min-w-0 sm:col-span-2">
            <Copyable text={exactTime(time_ms)} label="Copy the time" />
          </dd>
          {filterable.map(
            ({ name, value }) =>
              value !== null && (
                <div key={name} className="contents">
                  <dt className="text-dim">{name}</dt>
                  <dd className="min-w-0">
                    <Copyable text={value} label={`Copy ${name}`} />
                  </dd>
                  <dd>
                    <Button
                      look="quiet"
                      onClick={() =>
                        onFilter({
                          [name]: value,
                          ...(name === 'status' && { level: '' }),
                          ...(name === 'level' && { status: '' }),
                        })
                      }
                    >
                      Filter
                    </Button>
                  </dd>
                </div>
              ),
          )}
          <LineFields fields={request ? rest : fields} />
        </dl>
        <div className="flex justify-between">
          <Button onClick={() => onMove(-1)}>Newer</Button>
          <Button onClick={() => onMove(1)}>Older</Button>
        </div>
      </div>
    </Dialog>
  )
}
