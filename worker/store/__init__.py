"""What is kept: the journal, its tables and records, and the artifacts."""
