"""PostgreSQL as this house runs it: the cluster, its bootstrap, migrations, and connections."""
