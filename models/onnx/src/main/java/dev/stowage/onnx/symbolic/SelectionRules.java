package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rules for operators that select elements by indices or by their contents. */
final class SelectionRules {

  private static final int INT64 = ElementType.INT64.code();

  private SelectionRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    rules.put("Compress", SelectionRules::compress);
    rules.put("Gather", SelectionRules::gather);
    rules.put("GatherElements", call -> OperatorCall.result(call.code(0), call.shape(1)));
    rules.put("GatherND", SelectionRules::gatherSlices);
    rules.put(
        "NonMaxSuppression",
        call ->
            OperatorCall.result(INT64, SymbolicShape.of(call.unknownSize(), SizeExpression.of(3))));
    rules.put("NonZero", SelectionRules::nonZero);
    rules.put("OneHot", SelectionRules::oneHot);
    rules.put("TopK", SelectionRules::largest);
    rules.put("Unique", SelectionRules::unique);
    return rules;
  }

  private static List<SymbolicValue> compress(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    return OperatorCall.result(
        call.code(0),
        call.hasAttribute("axis")
            ? input.with(call.axis(call.integer("axis", 0), input.rank()), call.unknownSize())
            : SymbolicShape.of(call.unknownSize()));
  }

  private static List<SymbolicValue> gather(OperatorCall call) {
    SymbolicShape data = call.shape(0);
    SymbolicShape indices = call.shape(1);
    int axis = call.axis(call.integer("axis", 0), data.rank());
    List<SizeExpression> dimensions = new ArrayList<>(data.part(0, axis));
    dimensions.addAll(indices.dimensions());
    dimensions.addAll(data.part(axis + 1, data.rank()));
    SymbolicValue result = SymbolicValue.of(call.code(0), new SymbolicShape(dimensions));
    return List.of(result.withContents(gathered(call, axis, result)));
  }

  private static Optional<SymbolicContents> gathered(
      OperatorCall call, int axis, SymbolicValue result) {
    Optional<int[]> shape = call.shape(0).constants();
    Optional<List<Long>> indices = call.constants(1);
    Optional<int[]> indexShape = call.shape(1).constants();
    if (shape.isEmpty() || indices.isEmpty() || indexShape.isEmpty()) {
      return call.input(0).contents().filter(SymbolicContents.Uniform.class::isInstance);
    }
    int[] strides = MovedElements.strides(shape.get());
    int[] indexStrides = MovedElements.strides(indexShape.get());
    return MovedElements.of(
        call.input(0),
        result.shape().orElseThrow(),
        at -> {
          int chosen = 0;
          for (int i = 0; i < indexStrides.length; i++) {
            chosen += at[axis + i] * indexStrides[i];
          }
          int index = call.axis(indices.get().get(chosen), shape.get()[axis]) * strides[axis];
          for (int i = 0; i < strides.length; i++) {
            if (i != axis) {
              index += at[i < axis ? i : i - 1 + indexStrides.length] * strides[i];
            }
          }
          return index;
        });
  }

  private static List<SymbolicValue> gatherSlices(OperatorCall call) {
    SymbolicShape data = call.shape(0);
    SymbolicShape indices = call.shape(1);
    int batchRank = call.axis(call.integer("batch_dims", 0), data.rank());
    long depth = indices.last().constant().orElseThrow(call::unknown);
    if (depth < 0 || depth > data.rank() - batchRank) {
      throw call.unknown();
    }
    List<SizeExpression> dimensions = new ArrayList<>(indices.part(0, indices.rank() - 1));
    dimensions.addAll(data.part(batchRank + (int) depth, data.rank()));
    return OperatorCall.result(call.code(0), new SymbolicShape(dimensions));
  }

  private static List<SymbolicValue> nonZero(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    Optional<SizeExpression> count =
        call.input(0)
            .contents()
            .filter(SymbolicContents.Uniform.class::isInstance)
            .flatMap(contents ->
                contents.at(0).numerator().constant().stream()
                    .mapToObj(element -> element == 0 ? SizeExpression.of(0) : input.elements())
                    .findFirst());
    return OperatorCall.result(
        INT64,
        SymbolicShape.of(
            SizeExpression.of(Math.max(1, input.rank())), count.orElseGet(call::unknownSize)));
  }

  private static List<SymbolicValue> oneHot(OperatorCall call) {
    SymbolicShape indices = call.shape(0);
    int axis = call.axis(call.integer("axis", -1), indices.rank() + 1);
    List<SizeExpression> dimensions = new ArrayList<>(indices.dimensions());
    dimensions.add(axis, size(call, call.scalar(1)));
    return OperatorCall.result(call.code(2), new SymbolicShape(dimensions));
  }

  private static List<SymbolicValue> largest(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    int axis = call.axis(call.integer("axis", -1), input.rank());
    Optional<Quantity> count =
        call.hasAttribute("k") ? Optional.of(Quantity.of(call.integer("k", 0))) : call.scalar(1);
    SymbolicShape shape = input.with(axis, size(call, count));
    return List.of(SymbolicValue.of(call.code(0), shape), SymbolicValue.of(INT64, shape));
  }

  /** {@return the size that an input contains, or a symbol if it is not known} */
  private static SizeExpression size(OperatorCall call, Optional<Quantity> quantity) {
    return quantity
        .flatMap(Quantity::whole)
        .filter(size -> call.sizing().isAtLeast(size, 0))
        .orElseGet(call::unknownSize);
  }

  private static List<SymbolicValue> unique(OperatorCall call) {
    SizeExpression count = call.unknownSize();
    SymbolicShape list = SymbolicShape.of(count);
    SymbolicShape unique = list;
    SizeExpression inverse;
    if (call.hasAttribute("axis")) {
      SymbolicShape input = call.shape(0);
      int axis = call.axis(call.integer("axis", 0), input.rank());
      unique = input.with(axis, count);
      inverse = input.at(axis);
    } else {
      inverse = call.shape(0).elements();
    }
    return List.of(
        SymbolicValue.of(call.code(0), unique),
        SymbolicValue.of(INT64, list),
        SymbolicValue.of(INT64, SymbolicShape.of(inverse)),
        SymbolicValue.of(INT64, list));
  }
}
