"""What is known of persons: columns, tables, records whose words are concepts, who holds what."""
