"""What this project knows of its own database: demo and scale data, the access matrix, row types."""
