/** Every string of the landing page (§1.1, §2.1, §2.9-10). */
import { paths } from '@/config/paths'

export const copy = {
  eyebrow: 'A growth network for firefighters',
  heroStart: 'Everyone you came up with. Ready to',
  phrases: [
    'share lessons learned.',
    'answer your question.',
    'find the next class.',
    'build your project.',
    'back your promotion.',
  ],
  lead: 'Career, volunteer, combination, wildland, industrial, military and retired. One place to keep your record, find your people and get better at the job.',
  quizNote: 'Seven short questions. About two minutes.',
  joinWaitlist: 'Join Our Waitlist', // §2.11
  goToFeed: 'GO TO FEED', // §2.9
  goToDashboard: 'Go to Dashboard', // §2.10
  featuresTitle: 'What members do here',
  cta: {
    title: 'One tag on this board is yours.',
    memberTitle: 'Your tag is on the board.',
    lead: 'Tell us what would make this worth your time, and we’ll email you when your seat is ready.',
    memberLead: 'Requests waiting, certs about to expire, people you came up with: see where you stand.',
    member: 'Already a member?', // §2.10
    signIn: 'Sign In',
  },
  features: [
    {
      title: 'Connect nationwide',
      text: 'Find the people who do your job in another state, on another shift, at another kind of department.',
    },
    {
      title: 'Track career progress',
      text: 'From probie to chief: keep each milestone, with its date and the place it happened.',
    },
    {
      title: 'Share lessons learned',
      text: 'Write up the call while it is fresh. The next crew reads it before they need it.',
    },
    {
      title: 'Find training and development',
      text: 'Drills, classes and exams by month and state, with seats, reminders and your own calendar.',
      to: paths.trainings,
      link: 'See trainings',
    },
    {
      title: 'Show certifications and awards',
      text: 'One list with expiration dates, and a heads-up before one lapses.',
    },
    {
      title: 'Promote projects',
      text: 'Smoke alarm blitzes, peer support teams, a rebuilt 1962 pumper. Find the hands you need.',
    },
  ],
} as const
