package dev.stowage.onnx.symbolic;

import java.util.List;

/** A rule for the results of an operator. */
@FunctionalInterface
interface ShapeRule {

  /**
   * {@return the first results of an operator}
   *
   * @throws UnknownShapeException if the shapes cannot be expressed, or if the operator is invalid
   * @throws ArithmeticException if a number exceeds 64 bits
   */
  List<SymbolicValue> apply(OperatorCall call);
}
