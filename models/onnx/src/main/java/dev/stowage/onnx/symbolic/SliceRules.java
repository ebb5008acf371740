package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** Rules for {@code Slice} and {@code Split}. */
final class SliceRules {

  private static final SizeExpression ZERO = SizeExpression.of(0);

  /** Ends beyond this number are those of the axis. */
  private static final long FAR = Integer.MAX_VALUE;

  private SliceRules() {}

  static Map<String, ShapeRule> rules() {
    Map<String, ShapeRule> rules = new HashMap<>();
    rules.put("Slice", SliceRules::slice);
    rules.put("Split", SliceRules::split);
    return rules;
  }

  private static List<SymbolicValue> slice(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    Optional<List<Quantity>> starts = operands(call, "starts", 1);
    Optional<List<Quantity>> ends = operands(call, "ends", 2);
    List<Long> axes =
        call.integers("axes", 3)
            .orElseGet(() -> LongStream.range(0, length(call, starts, ends)).boxed().toList());
    List<Long> steps =
        call.has(4)
            ? call.constants(4).orElseThrow(call::unknown)
            : Collections.nCopies(axes.size(), 1L);
    if (steps.size() != axes.size()
        || starts.filter(list -> list.size() != axes.size()).isPresent()
        || ends.filter(list -> list.size() != axes.size()).isPresent()) {
      throw call.unknown();
    }
    SymbolicShape shape = input;
    List<SizeExpression> firsts = new ArrayList<>(Collections.nCopies(input.rank(), ZERO));
    long[] strides = LongStream.generate(() -> 1).limit(input.rank()).toArray();
    for (int i = 0; i < axes.size(); i++) {
      int axis = call.axis(axes.get(i), input.rank());
      int place = i;
      Quantity start = starts.map(list -> list.get(place)).orElseGet(call::unknownNumber);
      Quantity end = ends.map(list -> list.get(place)).orElseGet(call::unknownNumber);
      SliceRange range = new SliceRange(call, input.at(axis), steps.get(i));
      SizeExpression first = range.first(start);
      shape = shape.with(axis, range.length(first, end));
      firsts.set(axis, first);
      strides[axis] = steps.get(i);
    }
    return List.of(
        SymbolicValue.of(call.code(0), shape)
            .withContents(elements(call, shape, new SymbolicShape(firsts), strides)));
  }

  /** {@return the selected elements, if the first index of each axis is a constant} */
  private static Optional<SymbolicContents> elements(
      OperatorCall call, SymbolicShape result, SymbolicShape firsts, long[] steps) {
    Optional<int[]> input = call.shape(0).constants();
    Optional<int[]> first = firsts.constants();
    if (input.isEmpty() || first.isEmpty()) {
      return call.input(0).contents().filter(SymbolicContents.Uniform.class::isInstance);
    }
    int[] strides = MovedElements.strides(input.get());
    return MovedElements.of(
        call.input(0),
        result,
        at -> {
          int index = 0;
          for (int axis = 0; axis < at.length; axis++) {
            index += (int) (first.get()[axis] + at[axis] * steps[axis]) * strides[axis];
          }
          return index;
        });
  }

  private static Optional<List<Quantity>> operands(OperatorCall call, String name, int input) {
    return call.hasAttribute(name)
        ? call.integers(name).map(list -> list.stream().map(Quantity::of).toList())
        : call.listed(input);
  }

  private static long length(
      OperatorCall call, Optional<List<Quantity>> starts, Optional<List<Quantity>> ends) {
    if (starts.isPresent()) {
      return starts.get().size();
    }
    if (ends.isPresent()) {
      return ends.get().size();
    }
    OptionalLong length = call.shape(1).at(0).constant();
    if (length.isEmpty() || length.getAsLong() > call.shape(0).rank()) {
      throw call.unknown();
    }
    return length.getAsLong();
  }

  /** The indices of an axis between two numbers that may be negative or too large. */
  private static final class SliceRange {

    private final OperatorCall call;
    private final SizeExpression axisLength;
    private final long step;
    private final SizeExpression lowest;
    private final SizeExpression highest;

    SliceRange(OperatorCall call, SizeExpression axisLength, long step) {
      if (step == 0 || step == Long.MIN_VALUE) {
        throw call.unknown();
      }
      this.call = call;
      this.axisLength = axisLength;
      this.step = step;
      this.lowest = step > 0 ? ZERO : SizeExpression.of(-1);
      this.highest = step > 0 ? axisLength : axisLength.plus(-1);
    }

    SizeExpression first(Quantity start) {
      return index(start);
    }

    SizeExpression length(SizeExpression first, Quantity end) {
      SizeExpression last = index(end);
      SizeExpression distance = step > 0 ? last.minus(first) : first.minus(last);
      return call.sizing().orZero(distance.ceilDivide(Math.absExact(step)));
    }

    private SizeExpression index(Quantity given) {
      SizeExpression index = given.whole().orElseThrow(call::unknown);
      OptionalLong constant = index.constant();
      if (constant.isPresent() && constant.getAsLong() >= FAR) {
        return highest;
      }
      if (constant.isPresent() && constant.getAsLong() <= -FAR) {
        return lowest;
      }
      Sizing sizing = call.sizing();
      if (index.equals(ZERO) && lowest.equals(ZERO)) {
        return ZERO; // also if the length is not known
      }
      if (sizing.isAtMost(index, -1)) {
        index = index.plus(axisLength);
      } else if (!sizing.isAtLeast(index, 0)) {
        return call.unknownSize(); // counts from the start or from the end
      }
      return sizing.smaller(sizing.larger(index, lowest), highest);
    }
  }

  private static List<SymbolicValue> split(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    int axis = call.axis(call.integer("axis", 0), input.rank());
    List<SizeExpression> lengths = lengths(call, input.at(axis));
    Optional<List<Quantity>> listed = input.rank() == 1 ? call.listed(0) : Optional.empty();
    List<SymbolicValue> results = new ArrayList<>();
    int next = 0;
    for (SizeExpression length : lengths) {
      SymbolicValue result = SymbolicValue.of(call.code(0), input.with(axis, length));
      OptionalLong count = length.constant();
      if (listed.isPresent()
          && count.isPresent()
          && count.getAsLong() >= 0
          && count.getAsLong() <= listed.get().size() - next) {
        int end = next + (int) count.getAsLong();
        result = result.withContents(new SymbolicContents.Listed(listed.get().subList(next, end)));
        next = end;
      } else {
        listed = Optional.empty();
      }
      results.add(result);
    }
    return results;
  }

  private static List<SizeExpression> lengths(OperatorCall call, SizeExpression length) {
    boolean isGiven = call.hasAttribute("split") || call.has(1);
    if (isGiven) {
      Optional<List<Quantity>> given = operands(call, "split", 1);
      return given.isPresent()
          ? LayoutRules.sizes(call, given.get()).dimensions()
          : LongStream.range(0, call.outputCount()).mapToObj(i -> call.unknownSize()).toList();
    }
    long count = call.integer("num_outputs", call.outputCount());
    if (count <= 0 || count != call.outputCount()) {
      throw call.unknown();
    }
    SizeExpression part = length.ceilDivide(SizeExpression.of(count));
    List<SizeExpression> lengths = new ArrayList<>(Collections.nCopies((int) count - 1, part));
    lengths.add(length.minus(part.times(SizeExpression.of(count - 1))));
    return lengths;
  }
}
