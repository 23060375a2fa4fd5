"""pg_cron's scheduler: reads cron.job, runs what is due, writes cron.job_run_details."""
