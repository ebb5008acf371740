package dev.stowage.plan.shapes;

/** The limits of expressions, which keep arithmetic fast and recursion shallow. */
final class ExpressionLimits {

  private static final int MAX_PARTS = 10_000;
  private static final int MAX_DEPTH = 100;
  private static final int MAX_PRODUCTS = 100_000;

  private ExpressionLimits() {}

  /**
   * Checks the number of parts of an expression.
   *
   * @throws ArithmeticException if there are too many
   */
  static void checkParts(long count) {
    if (count > MAX_PARTS) {
      throw new ArithmeticException(
          "an expression must not have more than " + MAX_PARTS + " parts: " + count);
    }
  }

  /**
   * Checks the number of floors and maximums within each other, plus 1 for dimensions.
   *
   * @throws ArithmeticException if there are too many
   */
  static void checkDepth(int depth) {
    if (depth > MAX_DEPTH) {
      throw new ArithmeticException(
          "an expression must not have more than "
              + MAX_DEPTH
              + " floors and maximums within each other");
    }
  }

  /**
   * Checks the number of products of two sums before they are computed.
   *
   * @throws ArithmeticException if there are too many
   */
  static void checkProduct(int terms, int otherTerms) {
    if ((long) terms * otherTerms > MAX_PRODUCTS) {
      throw new ArithmeticException(
          "an expression must not have more than "
              + MAX_PARTS
              + " parts: a product of "
              + terms
              + " and "
              + otherTerms
              + " terms");
    }
  }
}
