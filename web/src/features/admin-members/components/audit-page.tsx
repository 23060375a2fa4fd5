/** The audit log as a page: searched by admin, member or what was changed, filtered by area, exported as CSV. */
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { BusyButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { FilterSelect } from '@/features/admin-shared/components/filter-select'
import { PageHeader } from '@/features/admin-shared/components/page-header'
import { SearchBox } from '@/features/admin-shared/components/search-box'
import { adminCopy } from '@/features/admin-shared/copy'
import { toCsv } from '@/features/admin-shared/csv'
import { downloadFile } from '@/lib/browser/download-file'
import { failureToast } from '@/features/admin-shared/use-admin-action'
import { useListView } from '@/features/admin-shared/use-list-view'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { readAuditLog } from '../api/queries'
import { copy } from '../copy'
import { parseAuditView } from '../model'
import { AuditLines } from './audit-log'

const strings = copy.audit

export function AuditPage() {
  const { view, change } = useListView(parseAuditView)
  const exporting = useMutation({
    mutationFn: () => readAuditLog(view),
    onSuccess: (entries) => {
      const rows = entries.map((one) => [
        one.created_at,
        one.actor_email ?? copy.operators,
        copy.auditActions[one.action] ?? one.action,
        one.member_email ?? one.subject,
        one.detail,
      ])
      downloadFile('audit-log.csv', 'text/csv;charset=utf-8', `\ufeff${toCsv(strings.columns, rows)}`)
      showToast({ title: strings.exported(entries.length) })
    },
    onError: (cause) => {
      logError('The audit log was not exported', cause)
      showToast(failureToast(adminCopy.exportFailed, cause))
    },
  })
  return (
    <>
      <PageHeader title={copy.log} lead={strings.lead}>
        <BusyButton busy={exporting.isPending} busyLabel={strings.exporting} onClick={() => exporting.mutate()}>
          <Download aria-hidden /> {strings.export}
        </BusyButton>
      </PageHeader>
      <div className="mb-4 flex flex-wrap gap-3">
        <SearchBox value={view.search} label={strings.search} onSearch={(search) => change({ search })} />
        <FilterSelect
          label={copy.area}
          value={view.area}
          options={Object.entries(copy.areas)}
          onChoose={(area) => change({ area })}
        />
      </div>
      <Card className="px-4 py-2">
        <AuditLines filter={view} />
      </Card>
    </>
  )
}
