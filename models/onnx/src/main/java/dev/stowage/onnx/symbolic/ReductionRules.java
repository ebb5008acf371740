package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** Rules for operators that combine all elements along axes. */
final class ReductionRules {

  private static final List<String> NAMES =
      List.of(
          "ReduceL1",
          "ReduceL2",
          "ReduceLogSum",
          "ReduceLogSumExp",
          "ReduceMax",
          "ReduceMean",
          "ReduceMin",
          "ReduceProd",
          "ReduceSum",
          "ReduceSumSquare");

  private static final SizeExpression ONE = SizeExpression.of(1);

  private ReductionRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    NAMES.forEach(name -> rules.put(name, ReductionRules::reduced));
    rules.put("ArgMax", ReductionRules::index);
    rules.put("ArgMin", ReductionRules::index);
    return rules;
  }

  private static List<SymbolicValue> reduced(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    boolean isKept = call.integer("keepdims", 1) != 0;
    if (!call.hasAttribute("axes") && call.has(1) && call.constants(1).isEmpty()) {
      if (!isKept) {
        throw call.unknown();
      }
      return OperatorCall.result(call.code(0), call.unknownShape(input.rank()));
    }
    List<Long> given = call.integers("axes", 1).orElse(List.of());
    if (given.isEmpty() && call.flag("noop_with_empty_axes")) {
      return OperatorCall.result(call.code(0), input);
    }
    List<Integer> axes =
        call.axes(
            given.isEmpty() ? LongStream.range(0, input.rank()).boxed().toList() : given,
            input.rank());
    SymbolicValue result = SymbolicValue.of(call.code(0), without(input, axes, isKept));
    return List.of(axes.size() == input.rank() ? result.withContents(combined(call)) : result);
  }

  private static SymbolicShape without(SymbolicShape input, List<Integer> axes, boolean isKept) {
    List<SizeExpression> dimensions = new ArrayList<>();
    for (int axis = 0; axis < input.rank(); axis++) {
      if (!axes.contains(axis)) {
        dimensions.add(input.at(axis));
      } else if (isKept) {
        dimensions.add(ONE);
      }
    }
    return new SymbolicShape(dimensions);
  }

  private static Optional<SymbolicContents> combined(OperatorCall call) {
    Optional<List<Quantity>> elements = call.listed(0);
    Optional<Quantity> combined =
        switch (call.operator()) {
          case "ReduceProd" -> elements.flatMap(list -> list.stream().reduce(Quantity::times));
          case "ReduceSum" -> elements.flatMap(list -> list.stream().reduce(Quantity::plus));
          case "ReduceMax" -> elements.flatMap(list -> extreme(call, list, true));
          case "ReduceMin" -> elements.flatMap(list -> extreme(call, list, false));
          default -> Optional.empty();
        };
    return combined.map(quantity -> new SymbolicContents.Listed(List.of(quantity)));
  }

  private static Optional<Quantity> extreme(
      OperatorCall call, List<Quantity> elements, boolean isLargest) {
    Optional<SizeExpression> extreme = Optional.empty();
    for (Quantity element : elements) {
      Optional<SizeExpression> whole = element.whole();
      if (whole.isEmpty()) {
        return Optional.empty();
      }
      extreme =
          extreme
              .map(best ->
                  isLargest
                      ? call.sizing().larger(best, whole.get())
                      : call.sizing().smaller(best, whole.get()))
              .or(() -> whole);
    }
    return extreme.map(Quantity::of);
  }

  private static List<SymbolicValue> index(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    int axis = call.axis(call.integer("axis", 0), input.rank());
    return OperatorCall.result(
        ElementType.INT64.code(), without(input, List.of(axis), call.integer("keepdims", 1) != 0));
  }
}
