/** Every string of the first steps. */
import type { StepName } from './model'

export const copy = {
  title: 'First steps',
  welcome: (name: string) => (name ? `Welcome, ${name}` : 'Welcome'),
  lead: (left: number) =>
    left === 1
      ? 'One quick thing and you’re set.'
      : `${['No', 'One', 'Two', 'Three', 'Four', 'Five'][left] ?? left} quick things, and Muster starts working for you.`,
  done: (count: number, of: number) => `${count} of ${of} done`,
  progress: 'First steps done',
  hide: 'Hide this',
  hidden: { title: 'First steps hidden', undo: 'Undo' },
  failed: { title: 'Not saved', description: 'Please try again.', variant: 'destructive' },
  allSet: {
    title: 'All set',
    text: 'All five first steps are done. This card won’t come back.',
  },
  isDone: 'Done',
  steps: {
    photo: { title: 'Add a photo', text: 'People connect with a face they know.', action: 'Add a photo' },
    rank: {
      title: 'Add your department and rank',
      text: 'So your crew can find you, and you can find people of your rank.',
      action: 'Fill them in',
    },
    certification: {
      title: 'Add one certification and its date',
      text: 'We’ll remind you 90, 30 and 7 days before it expires.',
      action: 'Add one',
    },
    people: {
      title: 'Connect with three people you know',
      text: 'Start with your own department.',
      action: 'Find people',
    },
    lesson: { title: 'Read one lesson', text: 'Two minutes. Open one and read to its end.', action: 'Pick one' },
  } satisfies Record<StepName, { title: string; text: string; action: string }>,
  people: (people: number, asked: number) =>
    asked === 0 ? `${people} of 3 connected.` : `${people} of 3 connected, ${asked} waiting for an answer.`,
  form: {
    name: 'Certification',
    expires: 'Expires',
    action: 'Add it',
    busy: 'Adding…',
    nameMissing: 'Enter its name',
    dateMissing: 'Enter the day it expires',
    never: 'It never expires?',
    toProfile: 'Add it in your profile',
  },
} as const
