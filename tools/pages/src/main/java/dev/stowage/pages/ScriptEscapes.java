package dev.stowage.pages;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;

/**
 * The escapes of JSON in a script element. Without {@code <}, a text can neither end the element
 * nor open a comment in it.
 */
final class ScriptEscapes extends CharacterEscapes {

  private static final long serialVersionUID = 1L;

  private final int[] asciiEscapes = standardAsciiEscapesForJSON();

  ScriptEscapes() {
    asciiEscapes['<'] = ESCAPE_STANDARD;
  }

  @Override
  public int[] getEscapeCodesForAscii() {
    return asciiEscapes;
  }

  @Override
  public @Nullable SerializableString getEscapeSequence(int character) {
    return null; // the standard escape
  }
}
