-- The articles of the public blog: written for the demo, with covers that the application draws from slug and category.

create or replace function pg_temp.demo_id(name text)
returns uuid
language sql
immutable
as $$
  select overlay(overlay(md5('muster demo ' || name) placing '4' from 13) placing 'a' from 17)::uuid
$$;

insert into public.posts (
  id, user_id, kind, title, summary, content, category, slug, tags, is_blog_post, is_public_blog, created_at
)
select
  pg_temp.demo_id('article ' || a.slug),
  pg_temp.demo_id('member ' || a.author),
  'lesson',
  a.title,
  a.summary,
  a.content,
  a.category,
  a.slug,
  a.tags::text[],
  true,
  a.is_public,
  now() - make_interval(days => a.days_ago)
from (
  values
  (
    'reading-a-roof-from-the-ground', 'dana',
    'Reading a roof from the ground',
    'Before a ladder leaves the bed, a roof has already told you most of what it will do. Here is where to look.',
    'Tactics', '{"truck company","size up",construction}', true, 2,
    'The first person on a roof is not the first person to learn about it. By the time the ladder goes up, the building has been talking for a while. This is the list our truck uses from the street.

## Start with the age

The decade on the deed is the best single clue to what holds the roof up. In our district, houses from before World War II have sawn rafters: heavy, slow to fail, generous with warnings. From the mid-seventies on, expect lightweight trusses, which are strong as a system and weak as parts.

You will rarely have the deed. You will have these:

- **Overhang and pitch.** Long clean spans without interior bearing walls usually mean trusses.
- **Vents.** A row of small vents low on the slope and a ridge vent say “open attic, one space.”
- **Additions.** Two pitches that meet badly were built by two people, and the valley between them is where fire hides.

## Then look at what is happening to it

Snow or frost that has melted in one strip. Shingles that shine. Smoke that leaves the eaves under pressure, then stops. A ridge line that was straight in the pre-plan photo and is not straight now.

> None of these alone decides anything. Two together change the plan. Three and nobody goes up.

## Get a second side

From the officer’s seat you see one side of the building, two if you are lucky. Where the street allows it, our driver pulls one house past and stops. Now the officer has three sides, and the ladder still reaches the front.

The back belongs to whoever gets there first. They owe the truck one transmission: where the smoke is coming from, and whether the roof looks the same from there. A gable in front and a flat addition in back are two different roofs with one address.

## Know what the season hides

Frost and snow draw the map for you in January. In July a dark roof has been in the sun all day, and from the street the thermal imager sees mostly sun. Then we trust the smoke more than the screen.

Metal sheds the snow and hides the heat. Solar panels add weight, take away the place you meant to cut, and stay live in daylight no matter which disconnect somebody pulled. If there are panels, that word goes out on the radio in the same breath as “truss.”

## Sounding is a second opinion

We sound every roof, ahead of every step, from the ladder on. But a truss roof can ring solid a minute before it lets go, because the deck you are hitting is fine. What burns is the connection under it.

So the hook can change a yes into a no. It never changes a no into a yes.

## Say it out loud

Whoever sees it says it, on the radio, in one sentence: what, where, since when. “Bravo side, eaves smoke stopped two minutes ago.” The roof crew does not need an essay. They need the change.

## Practice without a fire

Drive your first-due after a frost. Every morning below freezing draws you a map of which attics leak heat and where the old and the new roof meet. It costs you some diesel and a cup of coffee.

The roof is the only part of the building we stand on. Give it a minute before you give it your weight.'
  ),
  (
    'three-people-no-budget', 'yolanda',
    'Three people, no budget: drills that fit a quiet Tuesday',
    'You do not need a burn building to get better this week. Four drills for a crew of three and an empty bay.',
    'Training', '{drills,"small crews"}', true, 9,
    'Every training officer has the same dream: a burn building, a day, a full class. And every training officer has the same Tuesday: three people, one hour, one of them on the phone. Build for the Tuesday.

## 1. The blind pack-up

Lights off in the bay, masks covered. Each firefighter packs up, finds gauge, bypass and radio by feel, and checks the neighbor by touch. Time does not matter. Talking does: every step is said aloud.

*What it trains:* hands that know, and a habit of saying what you do.

## 2. The two-room search

Two offices and a hallway. One searches, one is the wall, one keeps time and moves a single chair between runs. The searcher draws the rooms afterward.

*What it trains:* orientation. The drawing is the drill; the search is how you get there.

## 3. The sixty-second officer

Show a photo of a building for ten seconds. The member has sixty seconds to give a size-up, an order to the next engine and one concern. Rotate. Nobody comments until everybody has gone.

*What it trains:* short sentences under pressure.

## 4. The dry stretch

One line, one obstacle, one door. Stretch it dry, flake it, mask up, stop. Look at the hose. Whoever would have had to walk back loses.

*What it trains:* the last thirty feet, which is where stretches fail.

## How to run them

1. Say what it is for in one sentence.
2. Run it badly once, without comment.
3. Ask the crew what they would change.
4. Run it again.

Keep a page in the kitchen with the date, the drill and one line. After three months you will have a training record that somebody actually wrote.'
  ),
  (
    'sleep-is-equipment', 'priscilla',
    'Sleep is equipment',
    'We inspect air packs every morning and nobody inspects the people who wear them. What a county learned from tracking sleep for a year.',
    'Career', '{health,sleep}', true, 17,
    'We would not send an air pack out half full. We send people out short on sleep every day, and we call it the job.

Last year forty-one of us wore a plain sleep tracker, by choice, with names removed before anyone saw a number. Here is what changed how we run the house.

## What we found

- The average was a little over five hours in a 24-hour shift. Nobody was surprised.
- The *second* night was the story. On 48-hour shifts, reaction tests the morning after the second night were the worst of all, even when that night had been quiet.
- People were bad at guessing their own state. The most tired rated themselves “fine” most often.

## What we changed

**Alerting by unit.** If the call is not yours, your lights stay off and your speaker stays quiet. This was wiring and a weekend, not a program.

**A protected hour.** After a working fire past midnight, the crew writes no reports for one hour. Calls still come. Paperwork waits.

**The driver question.** Before backing out after two in the morning, the officer asks the driver one question: “Good to drive?” There is no penalty for no. It has been no four times. All four were right.

## What we did not do

We did not rank anybody, and we did not publish tables. The moment sleep becomes a score, people will lie about it, and then you have lost the only instrument you had.

## If you want to begin

Start with the lights. Ask the crew which noise wakes them for nothing, and remove that noise first. Then measure for two weeks, so that when somebody asks whether it helped, you can answer with something better than a feeling.

If it is more than tiredness, talk to somebody. Peer support exists for exactly that, and so does your doctor. Neither is a mark against you.'
  ),
  (
    'changing-the-foam', 'annika',
    'Changing the foam on a whole site',
    'Moving a refinery brigade to fluorine-free concentrate took eighteen months. The concentrate took two of them.',
    'Equipment', '{foam,industrial}', true, 25,
    'When the decision was made, I thought it was a purchase. It was a plumbing project with a chemistry exam at the end.

## Count everything that has touched it

We listed tanks, trucks, monitors and portable proportioners. Then we listed them again with an operator beside us and the list grew by a third: a hose reel behind unit 4, a trailer nobody had claimed since 2011, a test loop.

If it ever held the old concentrate, it is part of the project.

## Flush, and let somebody else hold the bottle

Three rinses were planned. Five were needed on anything with dead legs. The sample was taken by a person from another department, and the result was signed by two people. That second signature is the reason our auditor left after one day.

## Cold is a different product

Most fluorine-free concentrates are thicker, and they get thicker in the cold. Two proportioners that passed on water failed on product at 40 °F. We heated one tank and replaced the other.

| Check | On water | On product, 68 °F | On product, 40 °F |
|---|---|---|---|
| Truck 1 | pass | pass | pass |
| Truck 2 | pass | pass | fail |
| Trailer | pass | fail | fail |

## Train the difference

The blanket is built more gently and needs more of it. Crews that had twenty years of plunging had to learn to bounce and bank. We gave every shift two mornings with a pan fire and a stopwatch, and we let them make it worse before they made it better.

## What I would do again

Appoint one person who owns the list. Pay for the lab you do not control. And tell the neighbors: when mutual aid arrives with the old product, the first conversation should not happen at the fence.'
  ),
  (
    'a-tanker-shuttle-that-works', 'siobhan',
    'A tanker shuttle that works',
    'No hydrants for eleven miles. How a company of twenty-six keeps a line flowing, with arithmetic, flags and a lot of practice in reverse.',
    'Tactics', '{"water supply",volunteer,rural}', true, 34,
    'People in cities ask what we do without hydrants. We bring the lake.

## The arithmetic

A shuttle is a circle: fill, drive, dump, drive. The flow you can sustain is what a tanker carries divided by how long one lap takes, times the number of tankers. There is no trick beyond making the lap shorter.

For our 2,000-gallon tanker on a three-mile haul, a lap is about fourteen minutes. That is one modest line and no mistakes. Two tankers is a fight. Three is a fire going out.

So the rule is: **call for the third before the first arrives.** You can always send it home.

We keep this table on the inside of the tanker’s door. It takes ten percent off every load, because no tanker dumps all it carries.

| Lap | One tanker | Two | Three | Four |
|---|---|---|---|---|
| 14 minutes | 130 gpm | 255 gpm | 385 gpm | 515 gpm |
| 11 minutes | 165 gpm | 325 gpm | 490 gpm | 655 gpm |
| 9 minutes | 200 gpm | 400 gpm | 600 gpm | 800 gpm |

Look at the columns first: one more tanker is worth more than anything else on this page. Then look at the rows. Five minutes off the lap turns three tankers into more than four, and minutes are free.

## Where the minutes hide

We timed a whole evening. Driving was not the problem.

- *Positioning at the fill site* cost us ninety seconds a lap. A painted stop line and one person with a flag made it twenty.
- *Connecting* cost a minute, because the caps were tight. Now the person who parks loosens them.
- *Dumping* was quick once the portable tank faced the road and the driver did not have to turn around.

## The fill site is a command

It has an officer, a radio and a say. It also has the least glory on the fireground, which is why we rotate it and why the chief stands there at least once a season.

## The dump site is a parking problem

The first portable tank goes down where a tanker can reach it without blocking the driveway, because the next engine will want the driveway. We leave room for a second tank beside it before we need one. Moving a full tank is not a thing.

Traffic runs one way, in at one end and out the other, even if it makes the lap a little longer. Nobody backs up on a road at night if a loop can be found in daylight. We found ours on a Sunday, with a map and a pickup.

## Nobody is late enough to speed

A loaded tanker that drops its right wheels off the pavement wants to roll, and the driver who jerks it back helps it. We tell new drivers the same three things: belt on, right wheels on the road, and slow down before the curve instead of in it. Thirty seconds saved on the haul were never in our numbers. A tanker in the ditch takes itself off the table and an engine with it.

## Practice in reverse

Every driver backs the tanker through the cones at night, with one spotter, in the rain if we can get it. It is not exciting. Neither is standing at a dump tank looking at a driver who is still a hundred yards down the lane.

## Start here

Pick your farthest farm. Drive it with a stopwatch. Write the lap time on the inside of the compartment door. The next time the tones drop for that road, you will know how many to call before you have your boots on.'
  ),
  (
    'first-year-notebook', 'malik',
    'The first-year notebook',
    'A probationary firefighter asked what is worth writing down. A captain went through seventeen years of pages to find out.',
    'Career', '{probation,mentoring}', true, 46,
    'A new firefighter in our house asked what we wrote down in our first year that we still use. I thought I would answer in a line. Then I went to the attic and read all of mine.

Most of it is useless. Specs for an engine we sold. A list of who takes cream. But some pages I would give to anybody.

## Addresses

One line per job: the address, the date, what it was, *what I would do differently*. It takes a minute, in the cab, before the report. Over seventeen years it has become the most valuable thing I own at work. Buildings do not move.

## Names

Everybody who took the time to show me something, and what it was. I did it so that I could thank them. It turned out to be a list of who to ask.

## Drawings from memory

Where every tool lives, drawn without looking. Then I checked. The gap between the drawing and the truck was the study plan for the week.

## Questions I was afraid to ask

There are forty of them in the first book. Nearly all are one sentence long and could have been answered in the time it took me to worry. The page taught me to ask, and later, to notice who was not asking.

## What not to write

No patient names. No opinions about people. Nothing you would not want read aloud by someone who dislikes you. A notebook is for getting better, not for keeping score.

## How to begin tonight

Buy one that fits a pocket. Put a date on the first page. Write down the last call you went to and one thing you would do differently.

That is the whole method. It works because you do it tomorrow as well.'
  ),
  (
    'kick-the-landing-zone', 'hana',
    'Kick the landing zone',
    'Half of our aborted landings were dust. What a ground crew can do in ten minutes so that a helicopter can stay.',
    'Wildland', '{aviation,"medical evacuation"}', true, 58,
    'From above, a good landing zone and a bad one look alike until the last thirty feet. Then the bad one disappears.

## Size first, then surface

You know the number your local operator asks for. Add to it. Walk the edges, because what you cannot see from the middle is wire, stumps and the fence somebody put up last summer.

Then **kick the ground**. If it flies when you kick it, it will fly when we arrive, and we will arrive with a good deal more wind than your boot.

## Ten minutes, in this order

1. *Wires.* Look for poles; wires are invisible. Tell the pilot even if you think we know.
2. *Loose things.* Hard hats, tarps, the lid of the cooler.
3. *Dust.* Water helps if it has time to soak: ten minutes before, not two. No water? Choose grass, even uphill, even farther.
4. *Wind.* Stand with it at your back and say where you are facing. That is the approach.
5. *One voice.* One person talks to the aircraft. Everybody else is quiet.

## On the radio

Give us the big thing first. “Single wire, north side, running east to west.” Then the ground, then the wind. If anything changes, say *stop*. We like that word. It is short and nobody argues with it.

## The patient is ready when you are ready

Most of the time on the ground is spent on a bag that will not close or a strap nobody can find. Package before you hear us. Turn the head away from the aircraft, cover the eyes, secure the blanket.

## Afterward

Tell us what you saw. We judge our own dust by how much of it we could see through, and you are the only one who knows how much there was.'
  ),
  (
    'what-neighbors-remember', 'jonah',
    'What the neighbors remember',
    'A small company counted what people thanked it for. It was rarely the fire.',
    'Leadership', '{volunteer,recruitment,community}', true, 71,
    'For one year our secretary wrote down every thank-you that reached the station: cards, pies, a word at the store. At the annual meeting she read the list.

There were sixty-three. Nine were about fires.

## What they were about

- Somebody came back the next day to board up the window.
- Somebody knew the dog’s name.
- Somebody explained, slowly, why the alarm kept chirping, and changed the battery without a word about it.
- A junior member carried groceries past the hose.

We had been measuring ourselves by the minutes before first water. Our neighbors had been measuring us by the hour after the last.

## What we changed

**The second visit.** Within two days of any call with a family in it, two members in station shirts, not turnouts, stop by. Ten minutes. Is the power back? Do you need the report? It is the most popular detail we have.

**The open compartment.** At the spring breakfast every new member stands at one compartment and explains it. They learn it, the public learns it, and the compartment has never been so tidy.

**The phone list.** Forty people who live alone and have agreed to a call when it goes below freezing. We split it between six members. It takes an hour.

## What came of it

Eleven people came to the last open night. Four joined. When I asked why, three of them said the same thing: *you came back.*

I have been chief for a while and I have given speeches about courage. None of them ever recruited anybody.

## If you want to try it

Begin by writing down the thank-yous. It costs nothing, it is pleasant work, and after a year you will know what business you are in.'
  ),
  (
    'draft-standpipes-by-heart', 'chief',
    'Standpipes by heart',
    'A draft: the inspector and the engine walk the same stairwell.',
    'Tactics', '{standpipes}', false, 1,
    '## Outline

1. What the inspector sees
2. What the engine sees
3. Where they disagree

Ask Mei for the photos.'
  )
) as a (slug, author, title, summary, category, tags, is_public, days_ago, content)
on conflict do nothing;
