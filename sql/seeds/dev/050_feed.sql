-- The feed of the demo community: posts of every kind, their comments, mentions and reactions.

create or replace function pg_temp.demo_id(name text)
returns uuid
language sql
immutable
as $$
  select overlay(overlay(md5('muster demo ' || name) placing '4' from 13) placing 'a' from 17)::uuid
$$;

insert into public.posts (
  id, user_id, kind, title, content, category, tags, is_command_post, starts_at, ends_at, location, link, created_at
)
select
  pg_temp.demo_id('post ' || p.key),
  pg_temp.demo_id('member ' || p.author),
  p.kind,
  p.title,
  p.content,
  p.category,
  p.tags::text[],
  p.is_command_post,
  case when p.in_days is not null then date_trunc('day', now()) + make_interval(days => p.in_days, hours => 8) end,
  case when p.in_days is not null then date_trunc('day', now()) + make_interval(days => p.in_days, hours => 16) end,
  p.location,
  p.link,
  now() - make_interval(mins => p.minutes_ago)
from (
  values
  (
    'truss', 'malik', 'lesson', 'It told us twice',
    E'Plain house on Alder, newer roof. Nine minutes in, the roof still felt solid underfoot and we believed it.\n\nThe ceiling below had a row of screw heads showing, dead straight, the length of the hall. That was the first time. The second was the sound. We were on the ladder when it went.\n\nSince then our rule on the engine is short: fasteners in a line, everybody out from under, no discussion.',
    'Tactics', '{construction,"size up"}', false, null::integer, null, null, 38
  ),
  (
    'smoke-trailer', 'siobhan', 'training', 'Search and mayday night, live smoke',
    E'We have the county smoke trailer for a weekend and more room than people. Mutual aid companies welcome, no charge. Bring your own mask and a dry shirt.\n\nThree rotations: search on a hoseline, search without one, mayday from a hole in the floor.',
    'Training', '{search,mayday}', false, 12, 'Pine Hollow station', null, 130
  ),
  (
    'brush-rig', 'fergus', 'project', 'Bringing back a 1964 brush truck',
    E'The county museum gave us the truck, I gave it my evenings. Pump is rebuilt and holds vacuum. Cab is stripped to metal.\n\nLooking for a period siren and for anyone who still has the hinge pattern for the side boxes.',
    'Equipment', '{history,apparatus}', false, null, null, null, 300
  ),
  (
    'sleep', 'zainab', 'question', null,
    'Our shift may go from 24/48 to 48/96. For those who did it: what happened to your sleep after the first three months? The honest version, please.',
    'Career', '{schedules,sleep}', false, null, null, null, 610
  ),
  (
    'last-tour', 'yolanda', 'general', null,
    'Thirty-one years today for Captain Paul Abernethy. Last roll call, last breakfast, same terrible coffee. He left his pocket notebooks to the training division, all forty of them.',
    'Community', '{}', false, null, null, null, 900
  ),
  (
    'welcome', 'chief', 'general', 'What this place is for',
    E'Two things I ask of everybody here. Write down what a job taught you while it still stings. Answer a question a week, even if the answer is short.\n\nNo patient details, no open investigations, no names of people who did not ask to be named.',
    'Community', '{}', true, null, null, null, 5000
  ),
  (
    'foam', 'annika', 'lesson', 'The foam was the easy part',
    E'Eighteen months after changing the site to fluorine-free: the concentrate is fine. What cost us was everything it had touched.\n\nFlush, flush again, have somebody else take the sample. Two of our proportioners passed on water and failed on product because the viscosity is not the same when it is cold.',
    'Equipment', '{foam,industrial}', false, null, null, null, 1500
  ),
  (
    'extrication', 'hector', 'training', 'Heavy vehicle extrication',
    E'Two trucks and a bus, donated, all on their sides. Eight hours of stabilizing before anyone touches a tool. Twelve seats, four for volunteers.',
    'Training', '{extrication}', false, 26, 'Tessera County training ground', 'https://training.example.org/extrication', 1900
  ),
  (
    'radio', 'amara', 'lesson', 'Say it so the tired one hears it',
    E'First structure fire as lieutenant. I gave a good size-up, fast. My nozzle firefighter told me afterward that she got four words of it.\n\nNow I say three things and stop: what I have, what we’re doing, what I need. Then I wait for the read-back.',
    'Leadership', '{radio,officer}', false, null, null, null, 2300
  ),
  (
    'plots', 'leah', 'project', 'Burn plots, ten years later',
    'We re-photographed forty plots from the 2016 prescribed burn. Same frame, same week, same boots if we could. The pairs will be public this winter. Ask me for the protocol, it fits on a card.',
    'Wildland', '{"fire effects"}', false, null, null, null, 2700
  ),
  (
    'chain', 'dana', 'question', null,
    'Roof saws: what chain are you running on membrane over plank, and who files it? Ours comes back from one job looking like we cut the street.',
    'Equipment', '{"truck company"}', false, null, null, null, 1800
  ),
  (
    'ice', 'lucia', 'training', 'Ice rescue day',
    'Six suits, two sleds, one lake. We start on the shore with people who have never done it and end fifty yards out. Warm room and soup all day.',
    'Training', '{"ice rescue"}', false, 33, 'Moss Lake boat ramp', null, 3200
  ),
  (
    'hydrants', 'wyatt', 'lesson', 'No hydrants, no excuses',
    E'My first interior job was also my first lesson in arithmetic. One tanker brings what one line flows in about eight minutes, if the driver does not meet a tractor.\n\nI was on the fill site. The fire went out because somebody I never saw had asked for the third tanker before the first arrived.',
    'Tactics', '{"water supply",volunteer}', false, null, null, null, 3900
  ),
  (
    'dispatch', 'nadia', 'general', null,
    'From the other side of the radio: when you say you are out with it, tell me what “it” is. I have six screens and no window.',
    'Community', '{dispatch}', false, null, null, null, 4300
  ),
  (
    'ladders', 'dana', 'project', 'Ladders for two, second edition',
    E'Nine companies sent corrections, so the drill pack has a second edition. Six throws that two people can do, a page each, drawn by someone who can draw (thank you, Yolanda).\n\nFree. Tell me what breaks.',
    'Training', '{ladders,"small crews"}', false, null, null, 'https://ladders.example.org', 5600
  ),
  (
    'probie', 'tobias', 'question', null,
    'Eight months in. What did you write in your notebook in the first year that you still use?',
    'Career', '{probation}', false, null, null, null, 6100
  ),
  (
    'lz', 'hana', 'lesson', 'Your landing zone is bigger than you think and dirtier',
    E'Half of our aborted landings last season were dust we could have known about. Walk it. Kick it. If it flies when you kick it, it will fly when we arrive.\n\nWater helps, ten minutes before and not two.',
    'Wildland', '{aviation}', false, null, null, null, 6900
  ),
  (
    'peer', 'priscilla', 'training', 'Peer support, two days, online',
    'Listening, not fixing. Open to every rank, dispatch and mechanics included. Saturdays, cameras optional, confidentiality not.',
    'Leadership', '{"peer support"}', false, 19, 'Online', 'https://training.example.org/peer', 7600
  ),
  (
    'recruit', 'victor', 'question', null,
    'Who keeps more than half of a volunteer class past the second winter? I would like to steal whatever you do.',
    'Leadership', '{recruitment}', false, null, null, null, 8400
  ),
  (
    'doors', 'marco', 'lesson', 'Try before you pry',
    'Four minutes on a steel door with the irons. It was open. I have been an officer for nine years. Try the knob.',
    'Tactics', '{"forcible entry"}', false, null, null, null, 9300
  ),
  (
    'map', 'noor', 'project', 'Where the first engine is late',
    E'Three years of runs on one map. The late spots are not where we thought. Two are school drop-off, one is a railroad crossing and one is us, backing in.\n\nHappy to share the method with any department that can export a run log.',
    'Community', '{data}', false, null, null, null, 10300
  ),
  (
    'arff', 'carmen', 'general', null,
    'Annual timed response today: two minutes fifty-one to the middle of the far runway. Nobody hit the cone this year.',
    'Community', '{arff}', false, null, null, null, 11000
  ),
  (
    'grant', 'helen', 'lesson', 'What the grant reviewer told me afterward',
    E'We were turned down twice, then funded. The reviewer said the first two were about our gear and the third was about our neighbors.\n\nLead with the people who call you. The gear is how.',
    'Leadership', '{grants,volunteer}', false, null, null, null, 12500
  ),
  (
    'squad', 'caleb', 'question', null,
    'Squad bosses: how do you rotate the saw team so that everybody learns and nobody hates you?',
    'Wildland', '{"crew leadership"}', false, null, null, null, 13800
  ),
  (
    'sprinkler', 'mei', 'lesson', 'One closed valve',
    E'A warehouse we had inspected, a valve somebody had closed for a repair in spring. Nobody lied to us, nobody wrote it down either.\n\nWe now photograph the position of every valve we walk past. It takes four minutes.',
    'Tactics', '{prevention}', false, null, null, null, 15100
  ),
  (
    'off-season', 'benji', 'question', null,
    'Wildland second-year looking for structure classes between November and March that take outsiders. Will travel, will sleep on a station floor.',
    'Career', '{training}', false, null, null, null, 16700
  ),
  (
    'board', 'andre', 'lesson', 'Paper does not run out of battery',
    E'Tablet died at the twenty-minute mark. The paper board knew who was inside.\n\nUse both. Trust the one you can hold in the rain.',
    'Leadership', '{accountability}', false, null, null, null, 18200
  ),
  (
    'draft', 'declan', 'general', null,
    'Drafted from the lake at 7 °F. The trick is to have done it at 50, often.',
    'Equipment', '{"water supply"}', false, null, null, null, 19900
  ),
  (
    'notebooks', 'paul', 'general', 'Forty notebooks',
    'People ask what is in them. Mostly addresses, and what I got wrong there.',
    'Community', '{history}', false, null, null, null, 21000
  ),
  (
    'tower', 'yolanda', 'training', 'Fire Officer I, first weekend',
    'Four weekends, twenty seats, a reading list that respects your time. Opens to neighboring departments on the 1st.',
    'Training', '{officer}', false, 47, 'Larkfield training division', 'https://training.example.org/officer-one', 23000
  )
)
  as p (
    key, author, kind, title, content, category, tags, is_command_post, in_days, location, link, minutes_ago
  )
on conflict (id) do nothing;

insert into public.comments (id, post_id, user_id, parent_id, content, created_at)
select
  pg_temp.demo_id('comment ' || c.key),
  pg_temp.demo_id('post ' || c.post),
  pg_temp.demo_id('member ' || c.author),
  case when c.answers is not null then pg_temp.demo_id('comment ' || c.answers) end,
  c.content,
  now() - make_interval(mins => c.minutes_ago)
from (
  values
  ('truss-1', 'truss', 'marco', null, '@Dana Petrosyan you had the roof. Was there any sag before the cut?', 30),
  ('truss-2', 'truss', 'andre', null, 'Monday packet. Thank you for writing the part where you were wrong.', 26),
  ('truss-3', 'truss', 'paul', null, 'Same street, 1998, same roof line. Different builder, same screws.', 20),
  ('truss-4', 'truss', 'tobias', 'truss-3', 'Is there a way to know from the front that it is that builder?', 12),
  ('smoke-1', 'smoke-trailer', 'gwen', null, 'Moss Lake brings five. And a dry shirt each.', 100),
  ('smoke-2', 'smoke-trailer', 'dana', null, 'I can bring the training window. @Siobhan Rourke second halyard is packed.', 31),
  ('smoke-3', 'smoke-trailer', 'cole', null, 'Is it open to junior members? Outside positions only, I know.', 60),
  ('smoke-4', 'smoke-trailer', 'siobhan', 'smoke-3', 'Outside, with Wyatt, and you will be tired. Yes.', 50),
  ('rig-1', 'brush-rig', 'declan', null, 'There is a siren in my barn that may be older than both of us. Photos tomorrow.', 200),
  ('rig-2', 'brush-rig', 'owen', null, 'I can scan the hinges on ours if the pattern is close.', 180),
  ('sleep-1', 'sleep', 'owen', null, 'Month one was awful, month two was better, by month four I would not go back. The commute is what changed my life.', 580),
  ('sleep-2', 'sleep', 'keiko', null, 'Depends on the second night. If your house runs all night twice, 48 is a long time.', 540),
  ('sleep-3', 'sleep', 'priscilla', null, 'Track it for two weeks before, or nobody will believe the numbers after.', 500),
  ('sleep-4', 'sleep', 'zainab', 'sleep-3', 'Started last night. Thank you.', 470),
  ('tour-1', 'last-tour', 'malik', null, 'He taught me to read a building from the gutter up.', 860),
  ('tour-2', 'last-tour', 'paul', null, 'The coffee was never the point.', 800),
  ('tour-3', 'last-tour', 'dana', 'tour-2', 'The coffee was a threat.', 790),
  ('foam-1', 'foam', 'renata', null, 'Seeing the same below 40 °F. A heated tank helped, money did the rest.', 1400),
  ('foam-2', 'foam', 'ibrahim', null, '@Annika Dahl would you share the sampling sheet?', 1350),
  ('foam-3', 'foam', 'annika', 'foam-2', 'Sent. Change the letterhead, keep the second signature.', 1340),
  ('ext-1', 'extrication', 'carmen', null, 'Two of us from the airport, if the volunteer seats are gone.', 1800),
  ('radio-1', 'radio', 'nadia', null, 'Three things and stop. Please print this on the visor.', 2200),
  ('radio-2', 'radio', 'andre', null, 'Took me six years to learn what you learned in one job.', 2150),
  ('plots-1', 'plots', 'teo', null, 'Proud of this crew. The card is in every truck now.', 2500),
  ('chain-1', 'chain', 'caleb', null, 'Square-ground for the plank, and a bar guard. File after every job, not before the next one.', 1750),
  ('chain-2', 'chain', 'marco', null, 'The person who files is @Tobias Engel. He does not know yet.', 1740),
  ('chain-3', 'chain', 'tobias', 'chain-2', 'He does now.', 1730),
  ('hydrants-1', 'hydrants', 'jonah', null, 'The somebody was @Siobhan Rourke. It usually is.', 3800),
  ('dispatch-1', 'dispatch', 'hector', null, 'Guilty. “It” was a cow.', 4200),
  ('ladders-1', 'ladders', 'siobhan', null, 'Page two saved our Tuesday.', 5500),
  ('ladders-2', 'ladders', 'lucia', null, 'Printed and laminated. It gets wet here.', 5400),
  ('ladders-3', 'ladders', 'yolanda', null, 'Recruit binder, with your name. The drawings were a pleasure.', 5300),
  ('probie-1', 'probie', 'malik', null, 'The name of every person who took the time to show me something.', 6000),
  ('probie-2', 'probie', 'rosalind', null, 'Where each tool lives, drawn from memory. Then I checked.', 5900),
  ('probie-3', 'probie', 'paul', null, 'The address, the date and what you would do differently. One line. Every job.', 5800),
  ('lz-1', 'lz', 'hector', null, 'Adding “kick it” to our card.', 6800),
  ('peer-1', 'peer', 'nadia', null, 'Signed up. Thank you for writing dispatch in the first line.', 7500),
  ('recruit-1', 'recruit', 'jonah', null, 'Give them something to own by the third week. Ours get a compartment.', 8300),
  ('recruit-2', 'recruit', 'gwen', null, 'Feed the families too.', 8200),
  ('doors-1', 'doors', 'dana', null, 'I was there. I held the light. I also didn’t try the knob.', 9200),
  ('map-1', 'map', 'andre', null, 'The one that is us is me. Working on it.', 10200),
  ('grant-1', 'grant', 'lucia', null, 'Rewriting ours tonight.', 12400),
  ('squad-1', 'squad', 'teo', null, 'Rotate by the day, debrief by the tank. Nobody is ever the saw person.', 13700),
  ('sprinkler-1', 'sprinkler', 'noor', null, 'If you export those photos with positions I can put them on the map.', 15000),
  ('off-1', 'off-season', 'siobhan', null, 'Floor is yours in January. We need hands, and we have heat.', 16600),
  ('board-1', 'board', 'amara', null, 'Bought one. Grease pencil and all.', 18100)
) as c (key, post, author, answers, content, minutes_ago)
on conflict (id) do nothing;

insert into public.mentions (id, mentioned_user_id, mentioned_by_id, comment_id, created_at)
select
  pg_temp.demo_id('mention ' || c.id || p.id),
  p.id,
  c.user_id,
  c.id,
  c.created_at
from public.comments as c
inner join public.profiles as p
  on
    c.content like '%@' || p.full_name || '%'
    and c.user_id <> p.id
    and p.email like '%@muster.test'
where
  c.id in (
    select pg_temp.demo_id('comment ' || k.key)
    from (
      values ('truss-1'), ('smoke-2'), ('foam-2'), ('chain-2'), ('hydrants-1')
    ) as k (key)
  )
on conflict do nothing;

-- Reactions, deterministic by a hash of member and post.
insert into public.reactions (id, user_id, post_id, type, created_at)
select
  pg_temp.demo_id('reaction ' || m.id || p.id),
  m.id,
  p.id,
  case abs(hashtext(m.id::text || p.id)) % 10 when 0 then 'respect' when 1 then 'thanks' else 'useful' end,
  least(p.created_at + make_interval(mins => 1 + abs(hashtext(p.id::text || m.id)) % 600), now())
from public.posts as p
inner join public.profiles as m on m.email like '%@muster.test' and m.id <> p.user_id
where
  p.user_id in (select a.id from public.profiles as a where a.email like '%@muster.test')
  and not p.is_blog_post
  and abs(hashtext(m.id::text || p.id)) % 100 < case p.kind when 'lesson' then 55 when 'general' then 40 else 22 end
  and m.email <> 'ghost@muster.test'
on conflict do nothing;

insert into public.reactions (id, user_id, comment_id, created_at)
select
  pg_temp.demo_id('reaction ' || m.id || c.id),
  m.id,
  c.id,
  least(c.created_at + make_interval(mins => 1 + abs(hashtext(c.id::text || m.id)) % 300), now())
from public.comments as c
inner join public.profiles as m on m.email like '%@muster.test' and m.id <> c.user_id
where
  c.user_id in (select a.id from public.profiles as a where a.email like '%@muster.test')
  and abs(hashtext(m.id::text || c.id)) % 100 < 9
  and m.email <> 'ghost@muster.test'
on conflict do nothing;
