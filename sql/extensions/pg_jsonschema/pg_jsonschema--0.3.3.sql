-- pg_jsonschema's surface: JSON Schema (drafts 4 to 2020-12, without remote references) in SQL, with the messages of
-- the original's library. Formats are asserted for drafts 4, 6 and 7, as there.

create function _jsonschema_type(instance jsonb, wanted text)
returns boolean
language sql
immutable
strict
as $$
  select case wanted
    when 'integer' then pg_catalog.jsonb_typeof(instance) = 'number'
      and (instance #>> '{}')::numeric = pg_catalog.trunc((instance #>> '{}')::numeric)
    else pg_catalog.jsonb_typeof(instance) = wanted
  end
$$;

create function _jsonschema_format(text_value text, format text)
returns boolean
language plpgsql
immutable
strict
as $$
begin
  case format
    when 'email' then
      return text_value ~ '^[^@[:space:]]+@[^@[:space:]]+$';
    when 'uuid' then
      return text_value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
    when 'date' then
      return text_value ~ '^\d{4}-\d\d-\d\d$' and text_value::date is not null;
    when 'date-time' then
      return text_value ~* '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$'
        and text_value::timestamptz is not null;
    when 'time' then
      return text_value ~* '^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$' and text_value::timetz is not null;
    when 'ipv4' then
      return text_value ~ '^\d+(\.\d+){3}$' and pg_catalog.family(text_value::inet) = 4;
    when 'ipv6' then
      return text_value !~ '/' and pg_catalog.family(text_value::inet) = 6;
    when 'hostname' then
      return pg_catalog.length(text_value) < 254
        and text_value ~* '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$';
    when 'uri' then
      return text_value ~* '^[a-z][a-z0-9+.-]*:[^[:space:]<>"{}|\\^`]*$';
    when 'regex' then
      return '' ~ text_value or true;
    else
      return true;
  end case;
exception
  when others then
    return false;
end
$$;

create function _jsonschema_pointer(pointer text, root jsonb)
returns jsonb
language plpgsql
immutable
as $$
declare
  part text;
  found jsonb := root;
begin
  if pointer !~ '^#' then
    raise exception 'Resource ''%'' is not present in a registry and retrieving it failed', pointer;
  end if;
  foreach part in array pg_catalog.string_to_array(pg_catalog.ltrim(pg_catalog.substr(pointer, 2), '/'), '/') loop
    part := pg_catalog.replace(pg_catalog.replace(part, '~1', '/'), '~0', '~');
    found := case when pg_catalog.jsonb_typeof(found) = 'array' then found -> part::integer else found -> part end;
  end loop;
  if found is null then
    raise exception 'Pointer ''%'' does not exist', pg_catalog.substr(pointer, 2);
  end if;
  return found;
end
$$;

create function _jsonschema_list(choices jsonb, final text)
returns text
language sql
immutable
as $$
  select pg_catalog.string_agg(
    case when position = 1 then '' when position = total then final else ', ' end || choice::text, '' order by position
  )
  from pg_catalog.jsonb_array_elements(choices) with ordinality as listed (choice, position),
    (select pg_catalog.jsonb_array_length(choices) as total) as counted
$$;

-- `depth` ends a schema that refers to itself without reading the instance.
create function _jsonschema_errors(schema jsonb, instance jsonb, root jsonb, depth integer default 0)
returns setof text
language plpgsql
immutable
as $$
declare
  kind text := pg_catalog.jsonb_typeof(instance);
  plain text := instance #>> '{}';
  key text;
  wanted jsonb;
  number_of integer;
  evaluated text[];
  entry record;
begin
  if schema = 'true' then
    return;
  elsif schema = 'false' then
    return next pg_catalog.format('False schema does not allow %s', instance);
    return;
  elsif depth > 100 then
    raise exception 'the JSON schema refers to itself without end';
  end if;
  for key, wanted in select * from pg_catalog.jsonb_each(schema) loop
    case key
      when '$ref' then
        return query select * from @extschema@._jsonschema_errors(
          @extschema@._jsonschema_pointer(wanted #>> '{}', root), instance, root, depth + 1
        );
      when 'type' then
        if pg_catalog.jsonb_typeof(wanted) = 'string' then
          if not @extschema@._jsonschema_type(instance, wanted #>> '{}') then
            return next pg_catalog.format('%s is not of type %s', instance, wanted);
          end if;
        elsif not exists (
          select from pg_catalog.jsonb_array_elements_text(wanted) as one (type)
          where @extschema@._jsonschema_type(instance, one.type)
        ) then
          return next pg_catalog.format('%s is not of types %s', instance, @extschema@._jsonschema_list(wanted, ', '));
        end if;
      when 'enum' then
        if not exists (select from pg_catalog.jsonb_array_elements(wanted) as one (choice) where choice = instance) then
          return next pg_catalog.format('%s is not one of %s', instance, @extschema@._jsonschema_list(wanted, ' or '));
        end if;
      when 'const' then
        if instance <> wanted then
          return next pg_catalog.format('%s was expected', wanted);
        end if;
      when 'allOf' then
        return query select errors.* from pg_catalog.jsonb_array_elements(wanted) as one (part),
          lateral @extschema@._jsonschema_errors(one.part, instance, root, depth + 1) as errors;
      when 'anyOf', 'oneOf' then
        number_of := (
          select pg_catalog.count(*) from pg_catalog.jsonb_array_elements(wanted) as one (part)
          where not exists (select from @extschema@._jsonschema_errors(one.part, instance, root, depth + 1))
        );
        if number_of = 0 then
          return next pg_catalog.format('%s is not valid under any of the schemas listed in the ''%s'' keyword', instance, key);
        elsif number_of > 1 and key = 'oneOf' then
          return next pg_catalog.format('%s is valid under more than one of the schemas listed in the ''oneOf'' keyword', instance);
        end if;
      when 'not' then
        if not exists (select from @extschema@._jsonschema_errors(wanted, instance, root, depth + 1)) then
          return next pg_catalog.format('%s is not allowed for %s', wanted, instance);
        end if;
      when 'if' then
        key := case when exists (select from @extschema@._jsonschema_errors(wanted, instance, root, depth + 1))
          then 'else' else 'then' end;
        if schema ? key then
          return query select * from @extschema@._jsonschema_errors(schema -> key, instance, root, depth + 1);
        end if;
      else
        null;
    end case;
    if kind = 'string' then
      if key = 'minLength' and pg_catalog.length(plain) < wanted::numeric then
        return next pg_catalog.format('%s is shorter than %s character%s', instance, wanted, case when wanted = '1' then '' else 's' end);
      elsif key = 'maxLength' and pg_catalog.length(plain) > wanted::numeric then
        return next pg_catalog.format('%s is longer than %s character%s', instance, wanted, case when wanted = '1' then '' else 's' end);
      elsif key = 'pattern' and plain !~ (wanted #>> '{}') then
        return next pg_catalog.format('%s does not match %s', instance, wanted);
      elsif key = 'format' and root ->> '$schema' ~ 'draft-0[467]'
        and not @extschema@._jsonschema_format(plain, wanted #>> '{}')
      then
        return next pg_catalog.format('%s is not a %s', instance, wanted);
      end if;
    elsif kind = 'number' then
      if key = 'minimum' and plain::numeric < wanted::numeric then
        return next pg_catalog.format('%s is less than the minimum of %s', instance, wanted);
      elsif key = 'maximum' and plain::numeric > wanted::numeric then
        return next pg_catalog.format('%s is greater than the maximum of %s', instance, wanted);
      elsif key = 'exclusiveMinimum' and pg_catalog.jsonb_typeof(wanted) = 'number' and plain::numeric <= wanted::numeric then
        return next pg_catalog.format('%s is less than or equal to the minimum of %s', instance, wanted);
      elsif key = 'exclusiveMaximum' and pg_catalog.jsonb_typeof(wanted) = 'number' and plain::numeric >= wanted::numeric then
        return next pg_catalog.format('%s is greater than or equal to the maximum of %s', instance, wanted);
      elsif key = 'multipleOf' and wanted::numeric <> 0 and plain::numeric % wanted::numeric <> 0 then
        return next pg_catalog.format('%s is not a multiple of %s', instance, wanted);
      end if;
    elsif kind = 'array' then
      number_of := pg_catalog.jsonb_array_length(instance);
      if key = 'minItems' and number_of < wanted::numeric then
        return next pg_catalog.format('%s has less than %s item%s', instance, wanted, case when wanted = '1' then '' else 's' end);
      elsif key = 'maxItems' and number_of > wanted::numeric then
        return next pg_catalog.format('%s has more than %s item%s', instance, wanted, case when wanted = '1' then '' else 's' end);
      elsif key = 'uniqueItems' and wanted = 'true' and number_of > (
        select pg_catalog.count(distinct item) from pg_catalog.jsonb_array_elements(instance) as items (item)
      ) then
        return next pg_catalog.format('%s has non-unique elements', instance);
      elsif key in ('prefixItems', 'items') and pg_catalog.jsonb_typeof(wanted) = 'array' then
        return query select errors.*
          from pg_catalog.jsonb_array_elements(wanted) with ordinality as one (part, position),
          lateral @extschema@._jsonschema_errors(
            one.part, instance -> (one.position - 1)::integer, root, depth + 1
          ) as errors
          where one.position <= number_of;
      elsif key in ('items', 'additionalItems') then
        if key = 'items' or pg_catalog.jsonb_typeof(schema -> 'items') = 'array' then
          return query select errors.*
            from pg_catalog.jsonb_array_elements(instance) with ordinality as items (item, position),
            lateral @extschema@._jsonschema_errors(wanted, items.item, root, depth + 1) as errors
            where items.position > case
              when key = 'additionalItems' then pg_catalog.jsonb_array_length(schema -> 'items')
              when schema ? 'prefixItems' then pg_catalog.jsonb_array_length(schema -> 'prefixItems')
              else 0
            end;
        end if;
      elsif key = 'contains' then
        number_of := (
          select pg_catalog.count(*) from pg_catalog.jsonb_array_elements(instance) as items (item)
          where not exists (select from @extschema@._jsonschema_errors(wanted, items.item, root, depth + 1))
        );
        if number_of < coalesce((schema ->> 'minContains')::numeric, 1) then
          return next pg_catalog.format('None of %s are valid under the given schema', instance);
        elsif number_of > (schema ->> 'maxContains')::numeric then
          return next pg_catalog.format('Too many items of %s are valid under the given schema', instance);
        end if;
      end if;
    elsif kind = 'object' then
      number_of := (select pg_catalog.count(*) from pg_catalog.jsonb_object_keys(instance));
      if key = 'required' and pg_catalog.jsonb_typeof(wanted) = 'array' then
        return query select pg_catalog.format('%s is a required property', one.name)
          from pg_catalog.jsonb_array_elements(wanted) with ordinality as one (name, position)
          where not instance ? (one.name #>> '{}')
          order by one.position;
      elsif key = 'minProperties' and number_of < wanted::numeric then
        return next pg_catalog.format('%s has less than %s propert%s', instance, wanted, case when wanted = '1' then 'y' else 'ies' end);
      elsif key = 'maxProperties' and number_of > wanted::numeric then
        return next pg_catalog.format('%s has more than %s propert%s', instance, wanted, case when wanted = '1' then 'y' else 'ies' end);
      elsif key = 'properties' then
        return query select errors.* from pg_catalog.jsonb_each(wanted) as one (name, part),
          lateral @extschema@._jsonschema_errors(one.part, instance -> one.name, root, depth + 1) as errors
          where instance ? one.name;
      elsif key = 'patternProperties' then
        return query select errors.* from pg_catalog.jsonb_each(wanted) as one (pattern, part),
          pg_catalog.jsonb_each(instance) as property (name, content),
          lateral @extschema@._jsonschema_errors(one.part, property.content, root, depth + 1) as errors
          where property.name ~ one.pattern;
      elsif key = 'additionalProperties' then
        evaluated := array(
          select property.name from pg_catalog.jsonb_object_keys(instance) as property (name)
          where not coalesce(schema -> 'properties', '{}') ? property.name
            and not exists (
              select from pg_catalog.jsonb_object_keys(coalesce(schema -> 'patternProperties', '{}')) as one (pattern)
              where property.name ~ one.pattern
            )
        );
        if wanted = 'false' and pg_catalog.cardinality(evaluated) > 0 then
          return next pg_catalog.format(
            'Additional properties are not allowed (%s %s unexpected)',
            (select pg_catalog.string_agg('''' || name || '''', ', ') from pg_catalog.unnest(evaluated) as name),
            case when pg_catalog.cardinality(evaluated) = 1 then 'was' else 'were' end
          );
        elsif wanted <> 'false' then
          return query select errors.* from pg_catalog.unnest(evaluated) as name,
            lateral @extschema@._jsonschema_errors(wanted, instance -> name, root, depth + 1) as errors;
        end if;
      elsif key = 'propertyNames' then
        return query select errors.* from pg_catalog.jsonb_object_keys(instance) as property (name),
          lateral @extschema@._jsonschema_errors(wanted, pg_catalog.to_jsonb(property.name), root, depth + 1) as errors;
      elsif key in ('dependentRequired', 'dependentSchemas', 'dependencies') then
        for entry in select * from pg_catalog.jsonb_each(wanted) as one (name, part) where instance ? one.name loop
          if pg_catalog.jsonb_typeof(entry.part) = 'array' then
            return query select pg_catalog.format('%s is a required property', one.name)
              from pg_catalog.jsonb_array_elements(entry.part) as one (name)
              where not instance ? (one.name #>> '{}');
          else
            return query select * from @extschema@._jsonschema_errors(entry.part, instance, root, depth + 1);
          end if;
        end loop;
      end if;
    end if;
  end loop;
end
$$;

create function jsonb_matches_schema(schema json, instance jsonb)
returns boolean
language sql
immutable
strict
parallel safe
as $$ select not exists (select from @extschema@._jsonschema_errors(schema::jsonb, instance, schema::jsonb)) $$;

create function json_matches_schema(schema json, instance json)
returns boolean
language sql
immutable
strict
parallel safe
as $$ select @extschema@.jsonb_matches_schema(schema, instance::jsonb) $$;

create function jsonschema_validation_errors(schema json, instance json)
returns text[]
language sql
immutable
strict
parallel safe
as $$ select array(select * from @extschema@._jsonschema_errors(schema::jsonb, instance::jsonb, schema::jsonb)) $$;

-- Only the keywords' own shapes are checked: a schema is an object or a boolean, and so are the schemas in it.
create function _jsonschema_is_schema(schema jsonb)
returns boolean
language plpgsql
immutable
as $$
declare
  key text;
  value jsonb;
  is_good boolean;
  type_names constant text[] := array['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
begin
  if pg_catalog.jsonb_typeof(schema) = 'boolean' then
    return true;
  elsif pg_catalog.jsonb_typeof(schema) <> 'object' then
    return false;
  end if;
  for key, value in select * from pg_catalog.jsonb_each(schema) loop
    is_good := case
      when key = 'type' then case pg_catalog.jsonb_typeof(value)
        when 'string' then (value #>> '{}') = any (type_names)
        when 'array' then pg_catalog.jsonb_array_length(value) > 0 and not exists (
          select from pg_catalog.jsonb_array_elements(value) as one (name) where not (name #>> '{}') = any (type_names)
        )
        else false
      end
      when key in ('allOf', 'anyOf', 'oneOf') then pg_catalog.jsonb_typeof(value) = 'array'
        and pg_catalog.jsonb_array_length(value) > 0 and not exists (
          select from pg_catalog.jsonb_array_elements(value) as one (part)
          where not @extschema@._jsonschema_is_schema(one.part)
        )
      when key in ('not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties') then
        @extschema@._jsonschema_is_schema(value)
      when key in ('properties', 'patternProperties', '$defs', 'definitions') then
        pg_catalog.jsonb_typeof(value) = 'object' and not exists (
          select from pg_catalog.jsonb_each(value) as one (name, part)
          where not @extschema@._jsonschema_is_schema(one.part)
        )
      when key = 'items' and pg_catalog.jsonb_typeof(value) <> 'array' then @extschema@._jsonschema_is_schema(value)
      when key in ('minimum', 'maximum') then pg_catalog.jsonb_typeof(value) = 'number'
      when key = 'multipleOf' then pg_catalog.jsonb_typeof(value) = 'number' and value::numeric > 0
      when key in (
        'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains'
      ) then pg_catalog.jsonb_typeof(value) = 'number' and value::numeric >= 0
        and value::numeric = pg_catalog.trunc(value::numeric)
      when key in ('pattern', 'format', 'title', 'description', '$ref', '$id', '$schema', '$comment') then
        pg_catalog.jsonb_typeof(value) = 'string'
      when key = 'required' then pg_catalog.jsonb_typeof(value) = 'array' and not exists (
        select from pg_catalog.jsonb_array_elements(value) as one (name)
        where pg_catalog.jsonb_typeof(name) <> 'string'
      )
      when key = 'enum' then pg_catalog.jsonb_typeof(value) = 'array'
      when key = 'uniqueItems' then pg_catalog.jsonb_typeof(value) = 'boolean'
      else true
    end;
    if not is_good then
      raise notice 'Invalid JSON schema at path: /%', key;
      return false;
    end if;
  end loop;
  return true;
end
$$;

create function jsonschema_is_valid(schema json)
returns boolean
language sql
immutable
strict
parallel safe
as $$ select @extschema@._jsonschema_is_schema(schema::jsonb) $$;
