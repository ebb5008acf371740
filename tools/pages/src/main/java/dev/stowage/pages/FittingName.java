package dev.stowage.pages;

import java.util.Arrays;

/** The name of a tensor, shortened to fit into a rectangle. */
final class FittingName {

  /*
   * The cut removes the piece with the fewest digits, and of those the one nearest to the middle, so
   * that names that differ only in the number of a layer stay different.
   *
   *   expanded_conv_14/depthwise, 17 letters: expa…14/depthwise, not expanded…epthwise
   */

  /** The pixels of a letter. */
  private static final double LETTER_PIXELS = 6;

  private static final double MARGIN = 6;
  private static final int MIN_LETTERS = 7;

  private FittingName() {}

  /** {@return the name, or its ends around an ellipsis, or nothing if too little would remain} */
  static String of(String name, double room) {
    int letters = (int) ((room - MARGIN) / LETTER_PIXELS);
    int[] all = name.codePoints().toArray();
    int excess = Arrays.stream(all).map(LetterWidth::of).sum() - letters * LetterWidth.ONE;
    if (excess <= 0) {
      return name;
    }
    if (letters < MIN_LETTERS) {
      return "";
    }
    Cut cut = bestCut(all, excess + LetterWidth.ONE);
    return new String(all, 0, cut.from) + "…" + new String(all, cut.to, all.length - cut.to);
  }

  /** {@return the best piece with at least some width, in O(n)} */
  private static Cut bestCut(int[] all, int width) {
    Cut best = new Cut(0, all.length, Integer.MAX_VALUE);
    int digits = 0;
    int cutWidth = 0;
    int to = 0;
    for (int from = 0; from < all.length; from++) {
      while (to < all.length && cutWidth < width) {
        digits += digit(all[to]);
        cutWidth += LetterWidth.of(all[to]);
        to++;
      }
      if (cutWidth < width) {
        return best;
      }
      Cut cut = new Cut(from, to, digits);
      if (cut.isBetterThan(best, all.length)) {
        best = cut;
      }
      digits -= digit(all[from]);
      cutWidth -= LetterWidth.of(all[from]);
    }
    return best;
  }

  private static int digit(int letter) {
    return letter >= '0' && letter <= '9' ? 1 : 0;
  }

  /** The piece from one index to before another. */
  private record Cut(int from, int to, int digits) {

    boolean isBetterThan(Cut other, int length) {
      return digits < other.digits
          || (digits == other.digits && fromMiddle(length) < other.fromMiddle(length));
    }

    /** {@return twice the distance between the middles of the piece and of the name} */
    private int fromMiddle(int length) {
      return Math.abs(from + to - length);
    }
  }
}
