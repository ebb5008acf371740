package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.List;

/** The shapes of operands that are repeated along axes of length 1. */
final class Broadcasting {

  private Broadcasting() {}

  /** {@return the shape of the result of an elementwise operator on some inputs} */
  static SymbolicShape of(OperatorCall call, int... inputs) {
    SymbolicShape shape = SymbolicShape.SCALAR;
    for (int input : inputs) {
      shape = of(call, shape, call.shape(input));
    }
    return shape;
  }

  static SymbolicShape of(OperatorCall call, SymbolicShape one, SymbolicShape other) {
    int rank = Math.max(one.rank(), other.rank());
    List<SizeExpression> dimensions = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      dimensions.add(call.broadcast(aligned(one, axis, rank), aligned(other, axis, rank)));
    }
    return new SymbolicShape(dimensions);
  }

  private static SizeExpression aligned(SymbolicShape shape, int axis, int rank) {
    int own = axis - (rank - shape.rank());
    return own < 0 ? SizeExpression.of(1) : shape.at(own);
  }

  /** {@return true if an operand can be repeated to the shape of a result} */
  static boolean isOperand(int[] operand, int[] result) {
    if (operand.length > result.length) {
      return false;
    }
    for (int axis = 0; axis < operand.length; axis++) {
      int length = result[axis + result.length - operand.length];
      if (operand[axis] != 1 && operand[axis] != length) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@return the index of the element of an operand that is used for an element of the result}
   *
   * @param index the index in the result
   * @param result the dimensions of the result
   * @param operand the dimensions of the operand
   */
  static int indexIn(int index, int[] result, int[] operand) {
    int remaining = index;
    int offset = 0;
    int stride = 1;
    for (int axis = result.length - 1; axis >= 0; axis--) {
      int coordinate = remaining % result[axis];
      remaining /= result[axis];
      int own = axis - (result.length - operand.length);
      if (own >= 0) {
        offset += (operand[own] == 1 ? 0 : coordinate) * stride;
        stride *= operand[own];
      }
    }
    return offset;
  }
}
