package dev.stowage.cli.picture;

/** A tensor's name, cut to the room that a rectangle has for it. */
final class FittingName {

  /* A drawing cannot measure its text: a letter of the names' size is taken to be this wide. */
  private static final double LETTER_WIDTH = 5.6;
  private static final double MARGIN = 6;
  private static final int LEAST_LETTERS = 7;

  private FittingName() {}

  /** {@return the name, or its end behind an ellipsis, or nothing where that says too little} */
  static String of(String name, double room) {
    int letters = (int) ((room - MARGIN) / LETTER_WIDTH);
    int length = name.codePointCount(0, name.length());
    if (length <= letters) {
      return name;
    }
    if (letters < LEAST_LETTERS) {
      return "";
    }
    return "…" + name.substring(name.offsetByCodePoints(name.length(), 1 - letters));
  }
}
