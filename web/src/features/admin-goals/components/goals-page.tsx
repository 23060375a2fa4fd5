/** The goals of growth plans with what they ask for, each in a card that opens. */
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Pencil, Plus, Trash2 } from 'lucide-react'
import { isGoalKind, requirementOf } from '@/api/growth/model'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Confirm } from '@/components/ui/confirm'
import { ListStates } from '@/features/admin-shared/components/list-states'
import { PageHeader } from '@/features/admin-shared/components/page-header'
import { useAdminAction } from '@/features/admin-shared/use-admin-action'
import { deleteGoal, deleteRequirement, type Goal, type GoalRequirement, goalsKey, goalsQuery } from '../api'
import { copy } from '../copy'
import { GoalDialog, GoalRequirementDialog } from './goal-dialogs'

const wayOf = (row: GoalRequirement) =>
  copy.ways[requirementOf({ ...row, state: 'open', proof: null, proof_on: null, is_linked: false }).metBy]

function RequirementRow({ goal, requirement }: { goal: Goal; requirement: GoalRequirement }) {
  const remove = useAdminAction({
    mutationFn: () => deleteRequirement(requirement.id),
    invalidates: goalsKey,
    done: () => copy.removed,
    failed: copy.notRemoved,
  })
  return (
    <li className="flex items-start gap-3 py-3">
      <div className="min-w-0 grow">
        <b className="type-name [overflow-wrap:anywhere]">{requirement.title}</b>
        <p className="text-small [overflow-wrap:anywhere] text-muted">
          {[wayOf(requirement), requirement.detail].filter(Boolean).join(' · ')}
        </p>
      </div>
      <GoalRequirementDialog
        goal={goal}
        requirement={requirement}
        trigger={
          <Button variant="quiet" size="icon-sm" aria-label={copy.changeRequirement(requirement.title)}>
            <Pencil aria-hidden />
          </Button>
        }
      />
      <Confirm
        title={copy.removeTitle(requirement.title)}
        description={copy.lead}
        action={copy.remove}
        onConfirm={() => remove.mutate(undefined)}
      >
        <Button variant="quiet" size="icon-sm" aria-label={copy.removeRequirement(requirement.title)}>
          <Trash2 aria-hidden />
        </Button>
      </Confirm>
    </li>
  )
}

function GoalCard({ goal }: { goal: Goal }) {
  const remove = useAdminAction({
    mutationFn: () => deleteGoal(goal.id),
    invalidates: goalsKey,
    done: () => copy.removed,
    failed: copy.notRemoved,
  })
  const { name, kind, requirements } = goal
  return (
    <Card>
      <details data-slot="goal" className="group">
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 p-4 md:px-5">
          <h2 className="min-w-0 grow basis-48 type-card [overflow-wrap:anywhere]">{name}</h2>
          {!goal.is_open && <Badge>{copy.closed}</Badge>}
          <Badge>{isGoalKind(kind) ? copy.kinds[kind] : kind}</Badge>
          <span className="text-small text-muted tabular-nums">{copy.asks(requirements.length)}</span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted group-open:rotate-180" />
        </summary>
        <div className="grid grid-cols-1 gap-3 border-t border-line p-4 md:px-5">
          {goal.description && <p className="text-ui [overflow-wrap:anywhere] text-muted">{goal.description}</p>}
          {requirements.length === 0 ? (
            <p className="text-ui text-muted">{copy.none}</p>
          ) : (
            <ol aria-label={copy.requirements} className="divide-y divide-line">
              {requirements.map((requirement) => (
                <RequirementRow key={requirement.id} goal={goal} requirement={requirement} />
              ))}
            </ol>
          )}
          <div className="flex flex-wrap gap-2">
            <GoalRequirementDialog
              goal={goal}
              trigger={
                <Button size="sm">
                  <Plus aria-hidden /> {copy.addRequirement}
                </Button>
              }
            />
            <GoalDialog
              goal={goal}
              trigger={
                <Button size="sm">
                  <Pencil aria-hidden /> {copy.edit}
                </Button>
              }
            />
            <Confirm
              title={copy.removeTitle(name)}
              description={copy.removeText}
              action={copy.remove}
              onConfirm={() => remove.mutate(undefined)}
            >
              <Button size="sm" variant="danger-line">
                <Trash2 aria-hidden /> {copy.remove}
              </Button>
            </Confirm>
          </div>
        </div>
      </details>
    </Card>
  )
}

export function GoalsPage() {
  const query = useQuery(goalsQuery)
  const goals = query.data ?? []
  return (
    <>
      <PageHeader title={copy.title} lead={copy.lead}>
        <GoalDialog
          last={goals.at(-1)?.place ?? 0}
          trigger={
            <Button variant="primary">
              <Plus aria-hidden /> {copy.add}
            </Button>
          }
        />
      </PageHeader>
      <ListStates inCard query={query} isEmpty={goals.length === 0} emptyTitle={copy.empty} emptyText={copy.emptyText}>
        <div className="grid max-w-3xl grid-cols-1 gap-3">
          {goals.map((goal) => (
            <GoalCard key={goal.id} goal={goal} />
          ))}
        </div>
      </ListStates>
    </>
  )
}
