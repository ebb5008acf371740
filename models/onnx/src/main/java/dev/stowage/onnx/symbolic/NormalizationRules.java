package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules for normalizations, whose first result has the shape of the input. */
final class NormalizationRules {

  private NormalizationRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    List.of(
            "GroupNormalization",
            "InstanceNormalization",
            "LRN",
            "LpNormalization",
            "MeanVarianceNormalization",
            "RMSNormalization")
        .forEach(name -> rules.put(name, ElementwiseRules::unary));
    rules.put("BatchNormalization", NormalizationRules::batch);
    rules.put("Dropout", NormalizationRules::dropout);
    rules.put("LayerNormalization", NormalizationRules::layer);
    rules.put("SimplifiedLayerNormalization", NormalizationRules::layer);
    return rules;
  }

  private static List<SymbolicValue> batch(OperatorCall call) {
    SymbolicValue channel = SymbolicValue.of(call.code(3), call.shape(3));
    return List.of(
        SymbolicValue.of(call.code(0), call.shape(0)), channel, channel, channel, channel);
  }

  private static List<SymbolicValue> dropout(OperatorCall call) {
    // Before version 10, the mask has the type of the input.
    int mask = call.version() < 10 ? call.code(0) : ElementType.BOOL.code();
    return List.of(
        SymbolicValue.of(call.code(0), call.shape(0)), SymbolicValue.of(mask, call.shape(0)));
  }

  /** The second and third results have one element for each normalized part. */
  private static List<SymbolicValue> layer(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    SymbolicShape parts = input;
    for (int axis = call.axis(call.integer("axis", -1), input.rank());
        axis < input.rank();
        axis++) {
      parts = parts.with(axis, SizeExpression.of(1));
    }
    SymbolicValue statistics =
        SymbolicValue.of((int) call.integer("stash_type", ElementType.FLOAT.code()), parts);
    return List.of(SymbolicValue.of(call.code(0), input), statistics, statistics);
  }
}
