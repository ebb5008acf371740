package dev.stowage.pages;

/** The name of a tensor, shortened to fit into a rectangle. */
final class FittingName {

  /** The pixels of a letter; those of East Asian scripts and emoji are twice as wide. */
  private static final double LETTER_PIXELS = 6;

  private static final int FIRST_WIDE = 0x1100;
  private static final double MARGIN = 6;
  private static final int MIN_LETTERS = 7;

  private FittingName() {}

  /**
   * {@return the name, or its ends around an ellipsis, or nothing if too little would remain}
   *
   * <p>Three quarters are of the end, which has the number of a layer and the kind of an operator:
   * {@code expa…14/depthwise}.
   */
  static String of(String name, double room) {
    int[] all = name.codePoints().toArray();
    int letters = (int) ((room - MARGIN) / LETTER_PIXELS);
    int width = 0;
    for (int letter : all) {
      width += letter < FIRST_WIDE ? 1 : 2;
    }
    if (width <= letters) {
      return name;
    }
    if (letters < MIN_LETTERS) {
      return "";
    }
    int kept = Math.max(2, (letters - 1) * all.length / width);
    int start = kept / 4;
    return new String(all, 0, start)
        + "…"
        + new String(all, all.length - kept + start, kept - start);
  }
}
