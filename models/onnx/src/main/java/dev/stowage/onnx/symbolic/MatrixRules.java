package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules for products of matrices. */
final class MatrixRules {

  private MatrixRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    rules.put("Det", MatrixRules::determinant);
    rules.put("Einsum", Einsum::apply);
    rules.put("Gemm", MatrixRules::gemm);
    rules.put(
        "MatMul",
        call -> OperatorCall.result(call.code(0), product(call, call.shape(0), call.shape(1))));
    rules.put(
        "MatMulInteger",
        call ->
            OperatorCall.result(
                ElementType.INT32.code(), product(call, call.shape(0), call.shape(1))));
    rules.put(
        "QLinearMatMul",
        call -> OperatorCall.result(call.code(7), product(call, call.shape(0), call.shape(3))));
    return rules;
  }

  private static List<SymbolicValue> determinant(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    return OperatorCall.result(call.code(0), new SymbolicShape(input.part(0, input.rank() - 2)));
  }

  private static List<SymbolicValue> gemm(OperatorCall call) {
    SymbolicShape a = call.shape(0);
    SymbolicShape b = call.shape(1);
    if (a.rank() != 2 || b.rank() != 2) {
      throw call.unknown();
    }
    call.sameSize(a.at(call.flag("transA") ? 0 : 1), b.at(call.flag("transB") ? 1 : 0));
    return OperatorCall.result(
        call.code(0),
        SymbolicShape.of(a.at(call.flag("transA") ? 1 : 0), b.at(call.flag("transB") ? 0 : 1)));
  }

  /** {@return the shape of the product of stacks of matrices, or of vectors} */
  static SymbolicShape product(OperatorCall call, SymbolicShape a, SymbolicShape b) {
    if (a.rank() == 0 || b.rank() == 0) {
      throw call.unknown();
    }
    SymbolicShape batch =
        Broadcasting.of(
            call,
            new SymbolicShape(a.part(0, Math.max(0, a.rank() - 2))),
            new SymbolicShape(b.part(0, Math.max(0, b.rank() - 2))));
    call.sameSize(a.last(), b.at(Math.max(0, b.rank() - 2)));
    List<SizeExpression> dimensions = new ArrayList<>(batch.dimensions());
    if (a.rank() > 1) {
      dimensions.add(a.at(a.rank() - 2));
    }
    if (b.rank() > 1) {
      dimensions.add(b.last());
    }
    return new SymbolicShape(dimensions);
  }
}
