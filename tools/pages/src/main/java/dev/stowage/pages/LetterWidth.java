package dev.stowage.pages;

/** The assumed width of letters, because a drawing cannot measure its text. */
final class LetterWidth {

  /* Widths are rounded up. The letters of East Asian scripts and emoji are as wide as two letters. */

  /** The width of an average small letter. */
  static final int ONE = 2;

  private static final int FIRST_OF_INDIA = 0x0900;
  private static final int FIRST_OF_EAST_ASIA = 0x1100;

  private LetterWidth() {}

  /** {@return the width of a character in halves of a letter} */
  static int of(int character) {
    return switch (Character.getType(character)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default -> ofSpacing(character);
    };
  }

  private static int ofSpacing(int character) {
    if (character < FIRST_OF_INDIA) {
      return switch (character) {
        case 'W', '@' -> 2 * ONE;
        case 'M', 'm', '%' -> 3;
        default -> ONE;
      };
    }
    if (character < FIRST_OF_EAST_ASIA) {
      return 3;
    }
    return isNarrow(character) ? ONE : 2 * ONE;
  }

  /** {@return true for Latin and Greek letters, punctuation and halves of East Asian letters} */
  private static boolean isNarrow(int character) {
    boolean isLatinOrGreek = 0x1E00 <= character && character < 0x2000;
    boolean isPunctuation = 0x2000 <= character && character < 0x2070 && character != '—';
    boolean isArabicForm = 0xFE70 <= character && character < 0xFF00;
    boolean isHalf = 0xFF61 <= character && character < 0xFFE0;
    return isLatinOrGreek || isPunctuation || isArabicForm || isHalf;
  }
}
