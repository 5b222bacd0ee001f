"""The draft of a plan, part by part."""
