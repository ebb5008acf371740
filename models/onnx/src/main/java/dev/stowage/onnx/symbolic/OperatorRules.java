package dev.stowage.onnx.symbolic;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The rules of all supported operators, except for those with bodies. */
final class OperatorRules {

  private static final Map<String, ShapeRule> STANDARD = standard();
  private static final Map<String, ShapeRule> CONTRIB = ContribRules.rules();

  private OperatorRules() {}

  /**
   * {@return the rule of an operator}
   *
   * @param domain its domain
   * @param name its name
   */
  static Optional<ShapeRule> find(String domain, String name) {
    return Optional.ofNullable(
        switch (domain) {
          case "", "ai.onnx" -> STANDARD.get(name);
          case "com.microsoft" -> CONTRIB.get(name);
          default -> null;
        });
  }

  /** {@return the names of all operators with a rule, sorted} */
  static List<String> names() {
    Set<String> names = new TreeSet<>(STANDARD.keySet());
    names.addAll(CONTRIB.keySet());
    return List.copyOf(names);
  }

  private static Map<String, ShapeRule> standard() {
    Map<String, ShapeRule> rules = new HashMap<>();
    rules.putAll(ConstantRules.rules());
    rules.putAll(ElementwiseRules.rules());
    rules.putAll(LayoutRules.rules());
    rules.putAll(MatrixRules.rules());
    rules.putAll(NormalizationRules.rules());
    rules.putAll(QuantizationRules.rules());
    rules.putAll(RecurrentRules.rules());
    rules.putAll(ReductionRules.rules());
    rules.putAll(ReshapeRules.rules());
    rules.putAll(ResizeRules.rules());
    rules.putAll(SelectionRules.rules());
    rules.putAll(SignalRules.rules());
    rules.putAll(SliceRules.rules());
    rules.putAll(WindowRules.rules());
    rules.put("Attention", AttentionRules::standard);
    rules.put("RotaryEmbedding", ElementwiseRules::unary);
    return Map.copyOf(rules);
  }
}
