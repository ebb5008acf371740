package dev.stowage.cli.picture;

/** The name of a tensor, shortened to fit into a rectangle. */
final class FittingName {

  /*
   * The cut removes the piece with the fewest digits, and of those the one nearest to the middle, so
   * that names that differ only in the number of a layer stay different.
   *
   *   expanded_conv_14/depthwise, 17 letters: expa…14/depthwise, not expanded…epthwise
   */

  /** The assumed width of a letter, because a drawing cannot measure its text. */
  private static final double LETTER_WIDTH = 6;

  private static final double MARGIN = 6;
  private static final int MIN_LETTERS = 7;

  private FittingName() {}

  /** {@return the name, or its ends around an ellipsis, or nothing if too little would remain} */
  static String of(String name, double room) {
    int letters = (int) ((room - MARGIN) / LETTER_WIDTH);
    int[] all = name.codePoints().toArray();
    if (all.length <= letters) {
      return name;
    }
    if (letters < MIN_LETTERS) {
      return "";
    }
    int cut = all.length - letters + 1;
    int from = startOfCut(all, cut);
    int behind = from + cut;
    return new String(all, 0, from) + "…" + new String(all, behind, all.length - behind);
  }

  /** {@return the start of the piece to cut out, in O(n)} */
  private static int startOfCut(int[] all, int cut) {
    int digits = 0;
    for (int i = 0; i < cut; i++) {
      digits += digit(all[i]);
    }
    int best = 0;
    int fewest = digits;
    int last = all.length - cut;
    for (int from = 1; from <= last; from++) {
      digits += digit(all[from + cut - 1]) - digit(all[from - 1]);
      boolean isNearer = Math.abs(2 * from - last) < Math.abs(2 * best - last);
      if (digits < fewest || (digits == fewest && isNearer)) {
        best = from;
        fewest = digits;
      }
    }
    return best;
  }

  private static int digit(int letter) {
    return letter >= '0' && letter <= '9' ? 1 : 0;
  }
}
