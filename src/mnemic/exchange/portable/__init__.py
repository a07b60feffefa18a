"""mnemic's own formats, and AgentOS's: a whole brain, out and in again."""
