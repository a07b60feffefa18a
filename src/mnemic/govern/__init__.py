"""What makes memory governed: the audit chain and the tombstones."""
