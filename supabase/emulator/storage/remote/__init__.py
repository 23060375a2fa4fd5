"""Files in a bucket of an S3 endpoint, for storage that outgrows one machine."""
