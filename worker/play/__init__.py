"""Games: begun, moved on by orders, and told with pictures, files and numbered throws."""
