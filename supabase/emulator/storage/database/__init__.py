"""The schema `storage` in SQL: sessions as the caller or as the service, and the statements on buckets and objects."""
