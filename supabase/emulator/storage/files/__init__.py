"""Where the bytes are: one immutable file per version of an object, and how one is written, read and removed. I/O."""
