/** The menu of somebody else's post. */
import { Ellipsis } from 'lucide-react'
import { SafetyMenuItems } from '@/components/safety-menu-items'
import { Button } from '@/components/ui/button'
import { Menu, MenuContent, MenuTrigger } from '@/components/ui/menu'
import { copy } from '../copy'
import type { Post } from '../model'

export function OthersPostMenu({ post, name }: { post: Post; name: string }) {
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="quiet" size="icon-sm" aria-label={copy.menu(name)}>
          <Ellipsis aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent>
        <SafetyMenuItems
          subject={{ kind: 'post', id: post.id }}
          person={post.author ? { id: post.author.id, name } : null}
        />
      </MenuContent>
    </Menu>
  )
}
