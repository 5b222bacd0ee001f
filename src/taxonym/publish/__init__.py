"""What is said instead of records: representatives, wording, generalisation, noise. Knows no plan."""
