package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules for operators of the domain {@code com.microsoft}. */
final class ContribRules {

  private static final int FLOAT = ElementType.FLOAT.code();

  private ContribRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    List.of(
            "BiasAdd",
            "BiasGelu",
            "BiasSoftmax",
            "FastGelu",
            "Gelu",
            "GroupNorm",
            "Inverse",
            "QuickGelu",
            "RotaryEmbedding",
            "SkipGroupNorm",
            "Trilu",
            "QLinearLeakyRelu",
            "QLinearSigmoid",
            "QLinearSoftmax")
        .forEach(name -> rules.put(name, ElementwiseRules::unary));
    rules.put("Attention", AttentionRules::packed);
    rules.put("BiasDropout", ContribRules::dropout);
    rules.put("BiasSplitGelu", ContribRules::halved);
    rules.put("DynamicQuantizeMatMul", call -> product(call, call.code(0), 1));
    rules.put("EmbedLayerNormalization", ContribRules::embedded);
    rules.put("FusedMatMul", ContribRules::fused);
    rules.put("GroupQueryAttention", AttentionRules::grouped);
    rules.put("MatMulInteger16", call -> product(call, ElementType.INT32.code(), 1));
    rules.put("MatMulIntegerToFloat", call -> product(call, call.code(2), 1));
    rules.put("MatMulNBits", ContribRules::quantizedProduct);
    rules.put("MultiHeadAttention", AttentionRules::multiHead);
    rules.put("QLinearAdd", ContribRules::quantized);
    rules.put("QLinearConcat", ContribRules::joined);
    rules.put("QLinearMul", ContribRules::quantized);
    rules.put("SkipLayerNormalization", ContribRules::skipped);
    rules.put("SkipSimplifiedLayerNormalization", ContribRules::skipped);
    rules.put("TransposeMatMul", ContribRules::fused);
    return rules;
  }

  private static List<SymbolicValue> product(OperatorCall call, int code, int second) {
    return OperatorCall.result(code, MatrixRules.product(call, call.shape(0), call.shape(second)));
  }

  private static List<SymbolicValue> quantized(OperatorCall call) {
    return OperatorCall.result(call.code(0), Broadcasting.of(call, 0, 3));
  }

  private static List<SymbolicValue> dropout(OperatorCall call) {
    return List.of(
        SymbolicValue.of(call.code(0), call.shape(0)),
        SymbolicValue.of(ElementType.BOOL.code(), call.shape(0)));
  }

  private static List<SymbolicValue> halved(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    return OperatorCall.result(
        call.code(0), input.with(input.rank() - 1, input.last().floorDivide(2)));
  }

  private static List<SymbolicValue> fused(OperatorCall call) {
    if (call.flag("transBatchA") || call.flag("transBatchB")) {
      throw call.unknown();
    }
    return OperatorCall.result(
        call.code(0),
        MatrixRules.product(
            call,
            call.flag("transA") ? transposed(call.shape(0)) : call.shape(0),
            call.flag("transB") ? transposed(call.shape(1)) : call.shape(1)));
  }

  private static SymbolicShape transposed(SymbolicShape matrices) {
    int rank = matrices.rank();
    return rank < 2
        ? matrices
        : matrices.with(rank - 1, matrices.at(rank - 2)).with(rank - 2, matrices.at(rank - 1));
  }

  private static List<SymbolicValue> quantizedProduct(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    return OperatorCall.result(
        call.code(0), input.with(input.rank() - 1, SizeExpression.of(call.integer("N", 0))));
  }

  /** The inputs are the scale and zero point of the result, and three for each part. */
  private static List<SymbolicValue> joined(OperatorCall call) {
    SymbolicShape shape = call.shape(2);
    int axis = call.axis(call.integer("axis", 0), shape.rank());
    SizeExpression length = SizeExpression.of(0);
    for (int i = 2; i < call.inputCount(); i += 3) {
      length = length.plus(call.shape(i).at(axis));
    }
    return OperatorCall.result(call.code(1), shape.with(axis, length));
  }

  private static List<SymbolicValue> skipped(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    SymbolicShape parts = input.with(input.rank() - 1, SizeExpression.of(1));
    return List.of(
        SymbolicValue.of(call.code(0), input),
        SymbolicValue.of(FLOAT, parts),
        SymbolicValue.of(FLOAT, parts),
        SymbolicValue.of(call.code(0), input));
  }

  private static List<SymbolicValue> embedded(OperatorCall call) {
    SymbolicShape ids = call.shape(0);
    List<SizeExpression> dimensions = new ArrayList<>(ids.dimensions());
    dimensions.add(call.shape(2).last());
    SymbolicShape shape = new SymbolicShape(dimensions);
    return List.of(
        SymbolicValue.of(call.code(2), shape),
        SymbolicValue.of(ElementType.INT32.code(), SymbolicShape.of(ids.at(0))),
        SymbolicValue.of(call.code(2), shape));
  }
}
