"""The S3 protocol: signatures, XML, and the operations on buckets, objects and uploads in parts."""
