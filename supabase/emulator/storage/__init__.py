"""The storage service: what storage-api answers to storage-js, storage3, TUS and S3 clients, on its own schema.

PostgreSQL decides who may do what, by the policies on storage.objects and storage.buckets. The bytes of an object are
one file per version, complete on disk before the row that names it.
"""
