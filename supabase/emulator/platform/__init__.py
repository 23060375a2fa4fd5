"""What moves behind the platform's extensions: pg_cron's scheduler, pg_net's sender, and the requests of http."""
