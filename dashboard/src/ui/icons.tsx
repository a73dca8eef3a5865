/** Icons of 16 × 16, drawn with the colour of the text. */
const paths = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  chevron: 'M4.5 6.5L8 10l3.5-3.5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  external: 'M6 3.5H3.5v9h9V10M9 3.5h3.5V7M12.3 3.7L7.5 8.5',
  search: 'M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.3 10.3L13.5 13.5',
  plus: 'M8 3.5v9M3.5 8h9',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  alert: 'M8 2.5l6 10.5H2zM8 6.5v3M8 11.3h.01',
  refresh: 'M13 8a5 5 0 11-1.6-3.7M13 2.5v3h-3',
  upload: 'M8 10.5v-7M5 6l3-3 3 3M3 10.5v2.5h10v-2.5',
  download: 'M8 3v7M5 7.5l3 3 3-3M3 11v2h10v-2',
  code: 'M6 4.5L2.5 8 6 11.5M10 4.5L13.5 8 10 11.5',
  globe: 'M8 14A6 6 0 108 2a6 6 0 000 12zM2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14c-2-2-2.5-4-2.5-6S6 4 8 2z',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  clock: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 5v3.2l2.2 1.3',
  user: 'M8 8a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM3 13.5c.5-2.5 2.5-3.5 5-3.5s4.5 1 5 3.5',
  key: 'M6 10.5a3 3 0 110-6 3 3 0 010 6zM8.5 9l5 5M11.5 12l1.3-1.3',
} as const

export type IconName = keyof typeof paths

/** An icon beside a text that says the same, hidden from screen readers. */
export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
    >
      <path d={paths[name]} />
    </svg>
  )
}
