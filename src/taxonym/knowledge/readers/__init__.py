"""One reader per format of taxonomies."""
