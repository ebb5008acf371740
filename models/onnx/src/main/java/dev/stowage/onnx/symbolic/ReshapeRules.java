package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Rules for operators that keep the elements and their order. */
final class ReshapeRules {

  private static final SizeExpression ONE = SizeExpression.of(1);

  private ReshapeRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    rules.put("Flatten", ReshapeRules::flatten);
    rules.put("Reshape", ReshapeRules::reshape);
    rules.put("Squeeze", ReshapeRules::squeeze);
    rules.put("Unsqueeze", ReshapeRules::unsqueeze);
    return rules;
  }

  /** {@return the input in another shape} */
  private static List<SymbolicValue> view(OperatorCall call, SymbolicShape shape) {
    return List.of(SymbolicValue.of(call.code(0), shape).withContents(call.input(0).contents()));
  }

  private static List<SymbolicValue> flatten(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    long axis = call.integer("axis", 1);
    if (axis < -input.rank() || axis > input.rank()) {
      throw call.unknown();
    }
    int cut = (int) (axis < 0 ? axis + input.rank() : axis);
    return view(call, SymbolicShape.of(input.product(0, cut), input.product(cut, input.rank())));
  }

  private static List<SymbolicValue> squeeze(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    Optional<List<Long>> given = call.integers("axes", 1);
    List<SizeExpression> kept = new ArrayList<>();
    if (given.isPresent()) {
      List<Integer> axes = call.axes(given.get(), input.rank());
      for (int axis = 0; axis < input.rank(); axis++) {
        if (!axes.contains(axis)) {
          kept.add(input.at(axis));
        }
      }
      return view(call, new SymbolicShape(kept));
    }
    for (SizeExpression dimension : input.dimensions()) {
      if (dimension.equals(ONE)) {
        continue;
      }
      if (!call.sizing().isAtLeast(dimension, 2) && !call.sizing().isAtMost(dimension, 0)) {
        throw call.unknown(); // the rank depends on the size
      }
      kept.add(dimension);
    }
    return view(call, new SymbolicShape(kept));
  }

  private static List<SymbolicValue> unsqueeze(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    List<Long> given = call.integers("axes", 1).orElseThrow(call::unknown);
    List<Integer> axes = call.axes(given, input.rank() + given.size());
    if (axes.size() != given.size()) {
      throw call.unknown();
    }
    List<SizeExpression> dimensions = new ArrayList<>();
    int next = 0;
    for (int axis = 0; axis < input.rank() + axes.size(); axis++) {
      dimensions.add(axes.contains(axis) ? ONE : input.at(next++));
    }
    return view(call, new SymbolicShape(dimensions));
  }

  private static List<SymbolicValue> reshape(OperatorCall call) {
    Optional<List<Quantity>> listed =
        call.hasAttribute("shape")
            ? call.integers("shape").map(sizes -> sizes.stream().map(Quantity::of).toList())
            : call.listed(1);
    if (listed.isEmpty()) {
      return view(call, shapeOfUnknownSizes(call));
    }
    Optional<SymbolicShape> input = call.input(0).shape();
    boolean isZeroKept = call.flag("allowzero");
    List<SizeExpression> dimensions = new ArrayList<>();
    int open = -1;
    for (int axis = 0; axis < listed.get().size(); axis++) {
      SizeExpression size = listed.get().get(axis).whole().orElseThrow(call::unknown);
      OptionalLong constant = size.constant();
      if (constant.isPresent() && constant.getAsLong() == -1) {
        if (open >= 0) {
          throw call.unknown();
        }
        open = axis;
        dimensions.add(ONE);
      } else if (constant.isPresent() && constant.getAsLong() == 0 && !isZeroKept) {
        dimensions.add(call.shape(0).at(axis));
      } else if (!call.sizing().isAtLeast(size, 0)) {
        dimensions.add(call.unknownSize()); // may be -1
      } else {
        dimensions.add(size);
      }
    }
    if (open >= 0) {
      dimensions.set(
          open,
          input.isEmpty() ? call.unknownSize() : rest(call, input.get().dimensions(), dimensions));
    }
    return view(call, new SymbolicShape(dimensions));
  }

  /** {@return the shape if only its rank is known} */
  private static SymbolicShape shapeOfUnknownSizes(OperatorCall call) {
    OptionalLong rank = call.shape(1).at(0).constant();
    if (rank.isEmpty()) {
      throw call.unknown();
    }
    return call.unknownShape(Math.clamp(rank.getAsLong(), 0, Integer.MAX_VALUE));
  }

  /**
   * {@return the number of elements divided by the product of the known dimensions}
   *
   * <p>Equal dimensions on both sides cancel out first, so that the quotient of expressions is
   * often exact. A dimension of 0 on both sides cancels out, too: the result is then that of
   * neighbouring sizes, and the tensor has no elements in any case.
   */
  private static SizeExpression rest(
      OperatorCall call, List<SizeExpression> input, List<SizeExpression> known) {
    List<SizeExpression> factors = new ArrayList<>(input);
    SizeExpression divisor = ONE;
    for (SizeExpression dimension : known) {
      if (!factors.remove(dimension)) {
        divisor = divisor.times(dimension);
      }
    }
    SizeExpression elements = new SymbolicShape(factors).elements();
    if (divisor.equals(ONE)) {
      return elements;
    }
    if (!call.sizing().isAtLeast(divisor, 1)) {
      return call.unknownSize();
    }
    return elements.floorDivide(divisor);
  }
}
