'use client'
/** Choose a folder or a zip: for keyboards, and where nothing can be dropped. */
import { useRef } from 'react'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Menu, MenuItem } from '@/ui/menu'
import { type Chosen, chosenOf } from './chosen'

type Props = {
  onChosen: (chosen: Chosen) => void
  /** One button with a menu. */
  compact: boolean
  /** Another thing to deploy than files, in the menu. */
  other?: { label: string; onSelect: () => void } | undefined
}

export function PickButtons({ onChosen, compact, other }: Props) {
  const folder = useRef<HTMLInputElement>(null)
  const zip = useRef<HTMLInputElement>(null)
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])].map((content) => ({
      path: content.webkitRelativePath || content.name,
      content,
    }))
    // The same folder may be chosen again.
    input.value = ''
    if (files.length > 0) chosenOf(files).then(onChosen)
  }
  const chooseFolder = () => folder.current?.click()
  const chooseZip = () => zip.current?.click()
  return (
    <>
      {compact ? (
        <Menu
          trigger={
            <Button look="primary">
              <Icon name="upload" />
              Deploy
            </Button>
          }
        >
          <MenuItem onSelect={chooseFolder}>A folder…</MenuItem>
          <MenuItem onSelect={chooseZip}>A zip…</MenuItem>
          {other && <MenuItem onSelect={other.onSelect}>{other.label}</MenuItem>}
        </Menu>
      ) : (
        <div className="flex flex-wrap justify-center gap-2">
          <Button look="primary" onClick={chooseFolder}>
            <Icon name="upload" />
            Choose a folder
          </Button>
          <Button onClick={chooseZip}>Choose a zip</Button>
        </div>
      )}
      <input
        ref={(input) => {
          folder.current = input
          // React's types lack the attribute.
          if (input) input.webkitdirectory = true
        }}
        type="file"
        hidden
        aria-label="Folder"
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={zip}
        type="file"
        hidden
        aria-label="Zip"
        accept=".zip,application/zip"
        onChange={(event) => take(event.currentTarget)}
      />
    </>
  )
}
