"""The emulator: a container-free backend that speaks the wire protocols of PostgREST, GoTrue and Realtime.

Every sub-package is one service; `app` alone knows all of them. None of them knows the product.
"""
