"""Values become blocks: pure functions that never ask the store."""
