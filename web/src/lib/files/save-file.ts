/** Gives a file of storage to the browser to save. */
import { downloadFile } from './pictures'

export async function saveFile(address: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await downloadFile(address))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000) // the browser reads it meanwhile
}
