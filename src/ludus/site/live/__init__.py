"""Games in memory: state changes, connected sockets, messages to them, bots' moves, and eviction."""
