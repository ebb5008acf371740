package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;

/** The size of a value, as far as it can be expressed. */
public sealed interface SymbolicBytes {

  /**
   * A size.
   *
   * @param bytes the number of bytes
   */
  record Known(SizeExpression bytes) implements SymbolicBytes {}

  /**
   * A size that cannot be expressed.
   *
   * @param reason the reason, such as {@code depends on operator 3 (NonZero)}
   */
  record Missing(String reason) implements SymbolicBytes {}

  /**
   * A size with numbers above 2^63 - 1, or with too many parts.
   *
   * @param reason the shape
   */
  record TooLarge(String reason) implements SymbolicBytes {}
}
