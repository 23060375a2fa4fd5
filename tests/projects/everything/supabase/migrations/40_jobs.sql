select cron.schedule('tidy', '0 3 * * *', $$delete from public.profiles where false$$);
select pgmq.create('mails');

create function public.queue_mail() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pgmq.send('mails', jsonb_build_object('to', new.id));
  return new;
end
$$;
create trigger queue_mail after insert on public.profiles for each row execute function public.queue_mail();

do $$
begin
  perform vault.create_secret('by hand', 'second_secret');
end
$$;
