"""The WebSocket, its session, and HTTP."""
