-- Conversations of the demo community. Inserted as superuser, whom the daily cap on messages does not limit.

create or replace function pg_temp.demo_id(name text)
returns uuid
language sql
immutable
as $$
  select overlay(overlay(md5('muster demo ' || name) placing '4' from 13) placing 'a' from 17)::uuid
$$;

insert into public.messages (id, sender_id, recipient_id, content, read, created_at)
select
  pg_temp.demo_id('message ' || m.sender || m.recipient || m.minutes_ago),
  pg_temp.demo_id('member ' || m.sender),
  pg_temp.demo_id('member ' || m.recipient),
  m.content,
  m.is_read,
  now() - make_interval(mins => m.minutes_ago)
from (
  values
  ('siobhan', 'dana', 'Ran your two-person throws on Tuesday. Number four needs a bigger yard than ours.', true, 4400),
  ('dana', 'siobhan', 'Number four needs a bigger yard than everybody’s. Swap it for the window throw, page two.', true, 4380),
  ('siobhan', 'dana', 'Done. Wyatt carried the heel all night and asked to do it again next week.', true, 4370),
  ('dana', 'siobhan', 'Keep him. Want me to bring the training window on the 12th?', true, 1500),
  ('siobhan', 'dana', 'Please. There will be chili. There is always chili.', false, 35),
  ('siobhan', 'dana', 'And bring a second halyard, ours is a clothesline.', false, 33),
  ('malik', 'dana', 'Shift trade on the 3rd? My kid has a recital and I am told attendance is scored.', true, 2900),
  ('dana', 'malik', 'It’s yours. You owe me a Sunday.', true, 2890),
  ('malik', 'dana', 'You were on the roof at Alder. Can you write two lines on the ceiling for my post? I only saw the front.', true, 1300),
  ('dana', 'malik', 'Sent. Short version: it told us twice and we heard it the second time.', true, 1250),
  ('malik', 'dana', 'That is the title.', false, 190),
  ('hector', 'dana', 'County is selling the old airbags. Interested?', true, 7000),
  ('dana', 'hector', 'Depends how old. Do they have a birthday on them?', true, 6990),
  ('hector', 'dana', 'They remember the last century.', true, 6980),
  ('dana', 'hector', 'Then no, but I love that you asked.', true, 6975),
  ('priscilla', 'dana', 'Checking in after Saturday. No need to answer, coffee’s on if you want it.', true, 5700),
  ('dana', 'priscilla', 'Thank you. Slept, ate, talked to Marco. Better than I expected.', true, 5200),
  ('priscilla', 'dana', 'Good order to do them in. I am here Thursday.', true, 5190),
  ('yolanda', 'dana', 'Can I put your page on ladder angles in the recruit binder? With your name on it.', true, 8800),
  ('dana', 'yolanda', 'Yes, and please fix the drawing. I draw like a truckie.', true, 8700),
  ('gwen', 'dana', 'Do you remember the chimney on Lake Road? We finally got a liner in the budget.', true, 10200),
  ('dana', 'gwen', 'First call I ever went to. Tell the chimney I said hello.', true, 10100),
  ('keiko', 'dana', 'Renewal class in Tessera has two seats left, the weekend before yours expires.', true, 2600),
  ('dana', 'keiko', 'Signing up tonight. You may have just saved my medic card.', true, 2590),
  ('lucia', 'dana', 'Ice rescue day moves to the 18th, the lake did not get the memo.', true, 3300),
  ('renata', 'dana', 'Would your truck like a morning with an airframe? We’re cutting one up this spring.', true, 12000),
  ('dana', 'renata', 'Truck 3 would like nothing more. Say when.', true, 11900),
  ('teo', 'dana', 'Saw your question on saw chains. Square-ground, and someone who enjoys filing.', true, 1700),
  ('dana', 'teo', 'That rules out my whole shift. Thank you.', true, 1690),
  ('andre', 'malik', 'Your truss post is going in our Monday packet.', true, 900),
  ('malik', 'andre', 'Take the comments too, they are better than the post.', true, 880),
  ('hana', 'teo', 'Pilot change on Monday. Can your crew meet the new one before we fly them?', true, 1400),
  ('teo', 'hana', '0600 at the pad. I’ll bring the coffee.', true, 1390),
  ('annika', 'renata', 'How did the proportioner behave on fluorine-free at 14 °F?', true, 6600),
  ('renata', 'annika', 'Like syrup until we heated the tank. Numbers attached to my next post.', true, 6500),
  ('chief', 'andre', 'Two of your people asked for the peer course. Approved, tell them.', true, 3000),
  ('andre', 'chief', 'They will pretend to be annoyed. Thank you.', true, 2950),
  ('jonah', 'victor', 'Open night brought eleven. Four came back on Thursday.', true, 2100),
  ('victor', 'jonah', 'Four out of eleven is the best I have heard all year. What did you feed them?', false, 2000),
  ('owen', 'fergus', 'Primer takes nine seconds. It used to take four.', true, 1800),
  ('fergus', 'owen', 'Vanes, or the seal. Listen for it with the cap off and call me.', true, 1750),
  ('nadia', 'priscilla', 'Had a bad hour yesterday. Could use ten minutes.', true, 700),
  ('priscilla', 'nadia', 'Calling you at six.', true, 690),
  ('victor', 'chief', 'Would you speak at the county recruit night in December?', false, 300)
) as m (sender, recipient, content, is_read, minutes_ago)
on conflict (id) do nothing;
