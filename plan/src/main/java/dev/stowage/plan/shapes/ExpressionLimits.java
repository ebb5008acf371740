package dev.stowage.plan.shapes;

import java.util.List;

/** The limits of expressions, which keep arithmetic fast and recursion shallow. */
final class ExpressionLimits {

  private static final int MAX_PARTS = 10_000;
  private static final int MAX_DEPTH = 100;
  private static final int MAX_PRODUCTS = 100_000;

  private ExpressionLimits() {}

  /**
   * {@return the number of parts of some terms, at least 1}
   *
   * @throws ArithmeticException if there are too many
   */
  static int partCount(List<SizeExpression.Term> terms) {
    long count = 0;
    for (SizeExpression.Term term : terms) {
      count++;
      for (Monomial.Factor factor : term.monomial().factors()) {
        count += factor.atom().partCount();
      }
    }
    if (count > MAX_PARTS) {
      throw new ArithmeticException(
          "an expression must not have more than " + MAX_PARTS + " parts: " + count);
    }
    return (int) Math.max(1, count);
  }

  /**
   * {@return the number of floors and maximums within each other, plus 1 for dimensions}
   *
   * @throws ArithmeticException if there are too many
   */
  static int depth(List<SizeExpression.Term> terms) {
    int depth = 0;
    for (SizeExpression.Term term : terms) {
      for (Monomial.Factor factor : term.monomial().factors()) {
        depth = Math.max(depth, factor.atom().depth());
      }
    }
    if (depth > MAX_DEPTH) {
      throw new ArithmeticException(
          "an expression must not have more than "
              + MAX_DEPTH
              + " floors and maximums within each other");
    }
    return depth;
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
