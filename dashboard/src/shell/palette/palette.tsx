'use client'
/** Finds anything by a few letters, by keyboard alone. */
import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '@/lib/class-names'
import { Icon } from '@/ui/icons'
import { type Item, matching, type Scope } from './item'
import { useItems } from './use-items'

type PaletteProps = {
  team: string
  /** The text that was typed, also before the palette was there. */
  text: string
  onText: (text: string) => void
  onClose: () => void
}

export function Palette({ team, text, onText, onClose }: PaletteProps) {
  const [scope, setScope] = useState<Scope>()
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const items = matching(useItems(team, text, scope), text)
  const current = items[Math.min(chosen, items.length - 1)]

  function change(next: string): void {
    onText(next)
    setChosen(0)
  }

  function enter(next: Scope | undefined): void {
    setScope(next)
    change('')
  }

  function run(item: Item): void {
    onClose()
    item.run?.()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setChosen((before) => (before + step + items.length) % Math.max(1, items.length))
    else if (event.key === 'Enter' && current) run(current)
    else if (event.key === 'Tab' && current?.scope) enter(current.scope)
    else if (event.key === 'Backspace' && text === '' && scope) enter(undefined)
    else return
    event.preventDefault()
  }

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup
          className={
            'fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] ' +
            'max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-surface shadow-xl'
          }
        >
          <Dialog.Title className="sr-only">Search and go</Dialog.Title>
          <div className="flex items-center gap-2 border-line border-b px-3">
            <Icon name="search" className="text-dim" />
            {scope && <span className="rounded bg-sunken px-1.5 py-0.5">{scope.project}</span>}
            <input
              role="combobox"
              aria-label="Search"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={current && `${id}-${current.id}`}
              value={text}
              onChange={(event) => change(event.target.value)}
              onKeyDown={onKeyDown}
              placeholder={scope ? 'Pages of this project' : 'Projects, domains, deployments, pages'}
              autoComplete="off"
              spellCheck={false}
              className="h-11 flex-1 bg-transparent outline-none placeholder:text-dim"
            />
          </div>
          <List id={id} items={items} current={current} onRun={run} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type ListProps = { id: string; items: Item[]; current: Item | undefined; onRun: (item: Item) => void }

function List({ id, items, current, onRun }: ListProps) {
  const list = useRef<HTMLDivElement>(null)
  const currentId = current?.id
  useEffect(() => {
    if (currentId !== undefined)
      list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [currentId])
  const groups = [...new Set(items.map(({ group }) => group))]
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label="Results"
      className="max-h-[55vh] overflow-y-auto p-1"
    >
      {items.length === 0 && <p className="px-2 py-6 text-center text-dim">Nothing found</p>}
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset may not be in a listbox.
        <div key={group} role="group" aria-label={group}>
          <div className="px-2 pt-2 pb-1 text-dim text-xs">{group}</div>
          {items
            .filter((item) => item.group === group)
            .map((item) => (
              <Option
                key={item.id}
                id={`${id}-${item.id}`}
                item={item}
                isCurrent={item === current}
                onRun={onRun}
              />
            ))}
        </div>
      ))}
    </div>
  )
}

type OptionProps = { id: string; item: Item; isCurrent: boolean; onRun: (item: Item) => void }

function Option({ id, item, isCurrent, onRun }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field, which is in focus.
    // biome-ignore lint/a11y/useFocusableInteractive: it is the field's active descendant.
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      onClick={() => onRun(item)}
      className={classNames(
        'flex cursor-pointer items-center justify-between gap-4 rounded px-2 py-1.5 hover:bg-sunken',
        isCurrent && 'bg-accent-soft',
      )}
    >
      <span className="truncate">{item.label}</span>
      {item.hint && <span className="shrink-0 text-dim text-xs">{item.hint}</span>}
    </div>
  )
}
