/** The guidelines (§13.6). */
import { copy } from '../copy'

export function GuidelinesPage() {
  return (
    <article className="grid gap-6">
      <header>
        <h1 className="type-h1">{copy.guidelines.title}</h1>
        <p className="mt-1 text-muted">{copy.guidelines.lead}</p>
      </header>
      <ol className="grid list-decimal gap-5 pl-6 marker:font-bold marker:text-muted">
        {copy.guidelines.rules.map(([rule, text]) => (
          <li key={rule} className="pl-1">
            <h2 className="type-card">{rule}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <p className="text-muted">{copy.guidelines.after}</p>
    </article>
  )
}
