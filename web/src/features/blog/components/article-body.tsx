/** An article's Markdown, rendered: GitHub-flavored, sanitized; raw HTML stays text and never runs. */
import type { ComponentProps } from 'react'
import Markdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'

const isElsewhere = (href: string | undefined) => /^https?:\/\//i.test(href ?? '')

/** The page has one h1, the title: headings of the content start below it. */
const components: Components = {
  h1: ({ node: _node, children, ...props }: ComponentProps<'h2'> & { node?: unknown }) => (
    <h2 {...props}>{children}</h2>
  ),
  a: ({ node: _node, href, children, ...props }) => (
    <a {...props} href={href} {...(isElsewhere(href) ? { target: '_blank', rel: 'noreferrer nofollow ugc' } : {})}>
      {children}
    </a>
  ),
  img: ({ node: _node, alt, ...props }) => <img {...props} alt={alt ?? ''} loading="lazy" decoding="async" />,
  table: ({ node: _node, ...props }) => (
    // A wide table scrolls by itself, also by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="overflow-x-auto" role="group" aria-label="Table" tabIndex={0}>
      <table {...props} />
    </div>
  ),
  pre: ({ node: _node, ...props }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre {...props} tabIndex={0} />
  ),
}

export function ArticleBody({ content }: { content: string }) {
  return (
    <div className="prose">
      <Markdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSanitize]} components={components}>
        {content}
      </Markdown>
    </div>
  )
}
