'use client'
/** The text of a zone file: pasted, chosen or dropped. */
import { type DragEvent, useRef } from 'react'
import { Button } from '@/ui/button'
import { TextArea } from '@/ui/field'
import { Icon } from '@/ui/icons'

type ZoneFileFieldProps = { text: string; onChange: (text: string) => void }

export function ZoneFileField({ text, onChange }: ZoneFileFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined) => {
    if (file) onChange(await file.text())
  }
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    read(event.dataTransfer.files[0])
  }
  return (
    <div className="grid gap-2">
      <TextArea
        label="Zone file"
        hint="In BIND format, also the output of dig AXFR. Drop a file here, or paste its text."
        placeholder={'$ORIGIN example.com.\n$TTL 300\n@    MX  10 mail\nmail A   192.0.2.10'}
        rows={12}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-xs"
      />
      <div>
        <Button onClick={() => input.current?.click()}>
          <Icon name="upload" /> Choose a file
        </Button>
        <input
          ref={input}
          type="file"
          aria-label="Zone file to import"
          className="hidden"
          onChange={(event) => {
            read(event.target.files?.[0])
            // The same file may be chosen again, after it was changed.
            event.target.value = ''
          }}
        />
      </div>
    </div>
  )
}
