"""PostgreSQL: the embedded cluster, its bootstrap and migrations, and pipelined connections."""
