package dev.stowage.memory.pool;

/** The kinds of arenas, by the handle of the caller. */
enum ArenaKind {
  ARENA("arena"),
  BLOCK("block"),
  LASTING("lasting memory");

  final String word;

  ArenaKind(String word) {
    this.word = word;
  }
}
