/** The link to a site, which looks like the primary button. */
import { Icon } from './icons'

/** Leads to the site at `url`. */
export function VisitLink({ url }: { url: string }) {
  return (
    <a
      href={url}
      className={
        'inline-flex h-8 items-center gap-1.5 rounded-md bg-accent px-3 ' +
        'font-medium text-accent-text hover:opacity-90'
      }
    >
      Visit <Icon name="external" />
    </a>
  )
}
