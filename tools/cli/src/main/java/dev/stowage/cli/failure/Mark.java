package dev.stowage.cli.failure;

/**
 * The words by which a text of a failure is found.
 *
 * @param words the words
 * @param characters the set of their characters; most lines lack one of them
 */
record Mark(String words, long characters) {

  Mark(String words) {
    this(words, characters(words));
  }

  /** {@return the set of the characters of a text, modulo 64} */
  static long characters(String text) {
    long characters = 0;
    for (int i = 0; i < text.length(); i++) {
      characters |= 1L << text.charAt(i);
    }
    return characters;
  }

  /** {@return false if a text with these characters cannot have the words} */
  boolean isPossible(long textCharacters) {
    return (characters & ~textCharacters) == 0;
  }
}
