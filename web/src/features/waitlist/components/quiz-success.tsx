/** §4.31-36: the confirmation. */
import { Check, Share } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { shareLink } from '@/lib/browser/share-link'
import { showToast } from '@/lib/toasts/toast'
import type { Variant } from '../api/join'
import { copy } from '../copy'

/** Simplified glyphs of the networks, in the color of the text. */
const networks = [
  [
    'Facebook',
    'https://www.facebook.com/',
    'M13.6 21v-7.6h2.6l.5-3.2h-3.1V8.3c0-.9.5-1.7 1.8-1.7h1.4V3.8S15.6 3.6 14.4 3.6c-2.4 0-4 1.5-4 4.2v2.4H7.6v3.2h2.8V21z',
  ],
  [
    'Instagram',
    'https://www.instagram.com/',
    'M7.5 3h9A4.5 4.5 0 0 1 21 7.500v9a4.500 4.500 0 0 1-4.500 4.500h-9A4.500 4.500 0 0 1 3 16.500v-9A4.500 4.500 0 0 1 7.500 3zm0 2A2.500 2.500 0 0 0 5 7.500v9A2.500 2.500 0 0 0 7.500 19h9a2.500 2.500 0 0 0 2.500-2.500v-9A2.500 2.500 0 0 0 16.500 5zM12 7.600a4.400 4.400 0 1 1 0 8.800 4.400 4.400 0 0 1 0-8.800zm0 2a2.400 2.400 0 1 0 0 4.800 2.400 2.400 0 0 0 0-4.800zM16.800 6.200a1 1 0 1 1 0 2 1 1 0 0 1 0-2z',
  ],
  [
    'LinkedIn',
    'https://www.linkedin.com/',
    'M5.500 3.500a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM3.800 9h3.400v11.500H3.800zm5.700 0h3.300v1.600c.6-1 1.800-1.900 3.500-1.900 3.200 0 4.100 2 4.100 5v6.800H17v-6.200c0-1.600-.3-2.700-1.700-2.700-1.500 0-2.400 1-2.400 2.800v6.100H9.500z',
  ],
  [
    'YouTube',
    'https://www.youtube.com/',
    'M4.500 5.500C7 5 17 5 19.500 5.500c1 .2 1.800 1 2 2 .5 2.500.5 6.500 0 9-.2 1-1 1.800-2 2-2.500.5-12.500.5-15 0-1-.2-1.800-1-2-2-.5-2.500-.5-6.500 0-9 .2-1 1-1.800 2-2zM10 8.800v6.400l5.400-3.200z',
  ],
] as const

async function sendToCrew(): Promise<void> {
  const { shareTitle, shareText, shareCopied, shareFailed } = copy.success
  const url = window.location.origin + paths.quiz
  const shared = await shareLink({ title: shareTitle, text: shareText, url })
  if (shared === 'copied') showToast(shareCopied)
  if (shared === 'failed') showToast(shareFailed)
}

export function QuizSuccess({ variant, onClose }: { variant: Variant; onClose?: (() => void) | undefined }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const { success } = copy
  const Title = variant === 'page' ? 'h1' : 'h2'
  return (
    <div className="grid gap-4">
      <span aria-hidden className="grid size-11 place-items-center rounded-card bg-success-soft text-success-text">
        <Check className="size-6" />
      </span>
      <Title ref={title} tabIndex={-1} className="mt-1 type-h1 text-balance">
        {success.title}
      </Title>
      <p className="max-w-[46ch] text-body">{success.thanks}</p>
      <p className="max-w-[46ch] text-muted">{success.soon}</p>
      <div className="mt-2 flex flex-wrap gap-3 max-md:[&>*]:w-full">
        <Button variant="primary" size="lg" onClick={() => void sendToCrew()}>
          <Share aria-hidden />
          {success.share}
        </Button>
        {onClose && (
          <Button size="lg" onClick={onClose}>
            {success.close}
          </Button>
        )}
      </div>
      <div className="mt-2 border-t border-line pt-5">
        <p className="mb-3 text-small font-semibold">{success.follow}</p>
        <ul className="flex flex-wrap gap-2">
          {networks.map(([name, href, glyph]) => (
            <li key={name}>
              <a
                href={href}
                target="_blank"
                rel="noreferrer"
                aria-label={`${name} (opens in a new tab)`}
                className="grid size-11 place-items-center rounded-control border border-line-strong bg-surface hover:bg-sunken"
              >
                <svg viewBox="0 0 24 24" fill="currentColor" fillRule="evenodd" aria-hidden className="size-5">
                  <path d={glyph} />
                </svg>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
