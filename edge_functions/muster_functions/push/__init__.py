"""Web push: what a notification says on a device, its encryption, the requests to push services, and the queue."""
