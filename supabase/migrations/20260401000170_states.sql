-- The states and territories of the United States (§11.5), and which of them border on each other (§11.7).

create table private.states (
  code text primary key,
  name text not null,
  neighbors text[] not null,
  constraint states_code_is_two_letters check (code ~ '^[A-Z]{2}$')
);
comment on table private.states is
'States, the District of Columbia and territories, by postal code. web/src/lib/format/states.ts has the same names.';
comment on column private.states.neighbors is 'The codes of those it borders on, or that are next to it at sea.';

alter table private.states enable row level security;

create policy "No client accesses the states" on private.states
for all to public using (false);

insert into private.states (code, name, neighbors) values
('AL', 'Alabama', '{FL,GA,MS,TN}'),
('AK', 'Alaska', '{}'),
('AZ', 'Arizona', '{CA,NM,NV,UT}'),
('AR', 'Arkansas', '{LA,MO,MS,OK,TN,TX}'),
('CA', 'California', '{AZ,NV,OR}'),
('CO', 'Colorado', '{KS,NE,NM,OK,UT,WY}'),
('CT', 'Connecticut', '{MA,NY,RI}'),
('DE', 'Delaware', '{MD,NJ,PA}'),
('DC', 'District of Columbia', '{MD,VA}'),
('FL', 'Florida', '{AL,GA}'),
('GA', 'Georgia', '{AL,FL,NC,SC,TN}'),
('HI', 'Hawaii', '{}'),
('ID', 'Idaho', '{MT,NV,OR,UT,WA,WY}'),
('IL', 'Illinois', '{IA,IN,KY,MO,WI}'),
('IN', 'Indiana', '{IL,KY,MI,OH}'),
('IA', 'Iowa', '{IL,MN,MO,NE,SD,WI}'),
('KS', 'Kansas', '{CO,MO,NE,OK}'),
('KY', 'Kentucky', '{IL,IN,MO,OH,TN,VA,WV}'),
('LA', 'Louisiana', '{AR,MS,TX}'),
('ME', 'Maine', '{NH}'),
('MD', 'Maryland', '{DC,DE,PA,VA,WV}'),
('MA', 'Massachusetts', '{CT,NH,NY,RI,VT}'),
('MI', 'Michigan', '{IN,OH,WI}'),
('MN', 'Minnesota', '{IA,ND,SD,WI}'),
('MS', 'Mississippi', '{AL,AR,LA,TN}'),
('MO', 'Missouri', '{AR,IA,IL,KS,KY,NE,OK,TN}'),
('MT', 'Montana', '{ID,ND,SD,WY}'),
('NE', 'Nebraska', '{CO,IA,KS,MO,SD,WY}'),
('NV', 'Nevada', '{AZ,CA,ID,OR,UT}'),
('NH', 'New Hampshire', '{MA,ME,VT}'),
('NJ', 'New Jersey', '{DE,NY,PA}'),
('NM', 'New Mexico', '{AZ,CO,OK,TX}'),
('NY', 'New York', '{CT,MA,NJ,PA,VT}'),
('NC', 'North Carolina', '{GA,SC,TN,VA}'),
('ND', 'North Dakota', '{MN,MT,SD}'),
('OH', 'Ohio', '{IN,KY,MI,PA,WV}'),
('OK', 'Oklahoma', '{AR,CO,KS,MO,NM,TX}'),
('OR', 'Oregon', '{CA,ID,NV,WA}'),
('PA', 'Pennsylvania', '{DE,MD,NJ,NY,OH,WV}'),
('RI', 'Rhode Island', '{CT,MA}'),
('SC', 'South Carolina', '{GA,NC}'),
('SD', 'South Dakota', '{IA,MN,MT,ND,NE,WY}'),
('TN', 'Tennessee', '{AL,AR,GA,KY,MO,MS,NC,VA}'),
('TX', 'Texas', '{AR,LA,NM,OK}'),
('UT', 'Utah', '{AZ,CO,ID,NV,WY}'),
('VT', 'Vermont', '{MA,NH,NY}'),
('VA', 'Virginia', '{DC,KY,MD,NC,TN,WV}'),
('WA', 'Washington', '{ID,OR}'),
('WV', 'West Virginia', '{KY,MD,OH,PA,VA}'),
('WI', 'Wisconsin', '{IA,IL,MI,MN}'),
('WY', 'Wyoming', '{CO,ID,MT,NE,SD,UT}'),
('AS', 'American Samoa', '{}'),
('GU', 'Guam', '{MP}'),
('MP', 'Northern Mariana Islands', '{GU}'),
('PR', 'Puerto Rico', '{VI}'),
('VI', 'U.S. Virgin Islands', '{PR}');
