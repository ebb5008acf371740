package dev.stowage.pages;

/** The name of a tensor, shortened to fit into a rectangle. */
final class FittingName {

  private static final double LETTER_PIXELS = 6;
  private static final double MARGIN = 6;
  private static final int MIN_LETTERS = 7;

  private FittingName() {}

  /**
   * {@return the name, or its ends around an ellipsis, or nothing if too little would remain}
   *
   * <p>Three quarters of the letters are from the end of the name. The end has the number of a
   * layer and the kind of an operator: {@code expa…14/depthwise}.
   */
  static String of(String name, double room) {
    int[] all = name.codePoints().toArray();
    int letters = (int) ((room - MARGIN) / LETTER_PIXELS);
    if (all.length <= letters) {
      return name;
    }
    int start = (letters - 1) / 4;
    int end = letters - 1 - start;
    return letters < MIN_LETTERS
        ? ""
        : new String(all, 0, start) + "…" + new String(all, all.length - end, end);
  }
}
