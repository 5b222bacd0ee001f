"""Files as strangers bring them, with the plans that a careful person would write for them."""
