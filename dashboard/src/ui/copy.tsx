'use client'
/** Copies a text with one click. */
import { useEffect, useState } from 'react'
import { visibleLine, visibleLines } from '@/lib/visible'
import { IconButton } from './button'
import { Icon } from './icons'

const shownMs = 1_500

/** A button that copies `text`; `label` says what that is, such as "Copy the id". */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <>
      <IconButton
        label={label}
        className="size-6"
        onClick={async () => {
          await copy(text)
          setCopied(true)
        }}
      >
        <Icon name={isCopied ? 'check' : 'copy'} className={isCopied ? 'text-good' : ''} />
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  )
}

/** `navigator.clipboard` exists on https and localhost only. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text)
    return
  }
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** A short text, such as an id or a URL, in one line with its copy button, which copies what is shown. */
export function Copyable({ text, label }: { text: string; label?: string }) {
  const shown = visibleLine(text)
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1">
      <code className="truncate font-mono text-xs" title={shown}>
        {shown}
      </code>
      <CopyButton text={shown} {...(label !== undefined && { label })} />
    </span>
  )
}

/** A command or a snippet, of several lines, with its copy button, which copies what is shown. */
export function Snippet({ text, label }: { text: string; label?: string }) {
  const shown = visibleLines(text)
  return (
    <div className="flex min-w-0 items-start rounded-md border border-line bg-sunken">
      <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto p-3 font-mono text-xs">
        <code>{shown}</code>
      </pre>
      <div className="p-1.5">
        <CopyButton text={shown} {...(label !== undefined && { label })} />
      </div>
    </div>
  )
}
